/* plan.c - what a scan's kernels are compiled with and given, and their launches
 *
 * Shapes and defines are those of kernels/scan*.cu and kernels/scan/tile.h. */
#include <assert.h>
#include <string.h>

#include "cuda/core/inside.h"
#include "cuda/core/tune.h"
#include "host/status.h"
#include "scan.h"

#include "kernels/scan/args.h" /* needs their types */

enum {
  HEADER_BYTES = 256,
  LANES = 32,
  VECTOR = 16,
  MOST_CHUNKS = 8,
  MOST_STAGES = 14,
  FEW_STAGES = 3,
  OWN_BYTES = 2048 /* of a kernel's own shared memory, at most, and what the driver takes */
};

_Static_assert(sizeof(struct scan_args) == 9 * 8 + 6 * 4 + SCAN_LEVELS * 4, "no gaps");

void hd_cuda_scan_plan(struct hd_cuda_scan_plan *plan, const struct hd_scan *scan) {
  const struct hd_fold *fold = &scan->fold;
  const bool arithmetic = fold->op == HEDDLE_SUM || fold->op == HEDDLE_PROD;
  *plan = (struct hd_cuda_scan_plan){.scan = *scan, .free = hd_cuda_fold_is_order_free(fold)};
  plan->in_bytes = (u32)hd_cuda_fold_element_bytes(fold);
  plan->out_bytes = (u32)hd_cuda_fold_result_bytes(fold);
  plan->total_words = (u32)(hd_cuda_fold_total_bytes(fold) + 3) / 4;
  if (fold->op == HEDDLE_OP_CUSTOM) {
    plan->tile = hd_cuda_fold_chunk(fold);
    return;
  }
  plan->narrow = hd_is_integer(fold->type) && arithmetic && plan->in_bytes < 8 &&
                 plan->out_bytes < 8 && hd_is_integer(fold->out_type);
  if (plan->narrow) plan->total_words = 1;
  /* Of a lane, in any order: as SCAN_V has it. */
  const bool keys = hd_is_float(fold->type) && !arithmetic && plan->in_bytes <= 4;
  const u32 bytes = plan->in_bytes < 4 || keys ? VECTOR / 2 : VECTOR;
  plan->vector = plan->free ? bytes / plan->in_bytes : hd_cuda_fold_lanes(fold) / LANES;
  plan->tile = SCAN_ROWS * LANES * plan->vector;
}

/* ---- launches ------------------------------------------------------------------------------------ */

/* How a piece is cut and what that asks for. */
struct shape {
  u64 tiles;
  u32 align, out_align;
  u32 chunks, stages; /* tiles of a span, spans of a block; 1 and 1 but for scan_stream */
  u32 few;            /* tiles of a span of scan_few, else 0 */
  u32 teams;          /* of scan_stream's warps that scan a span */
  const char *file, *kernel;
};

/* Bytes of shared memory that a block may ask for, and asks for so that it does tiles by parts: three of
 * four parts a tile where order matters (kernels/scan/part.h). */
static u32 room(const struct hd_cuda_limits *limits) {
  return (u32)limits->shared_per_block - OWN_BYTES;
}
static u32 slots(const struct hd_cuda_scan_plan *plan, u32 tiles) {
  const u32 tile = plan->tile * plan->in_bytes;
  return plan->free ? 0 : tiles * (tile - tile / SCAN_PARTS);
}

/* Spans are as large as leaves one to every processor, and room for a few in a block. */
static void shape_stream(const struct hd_cuda_limits *limits, const struct hd_cuda_scan_plan *plan,
                         struct shape *shape) {
  const struct hd_cuda_tune_scan *tune = &hd_cuda_tune(limits)->scan;
  const u32 bytes = plan->tile * plan->in_bytes, most = room(limits);
  const u32 ring = tune->stages < most ? tune->stages : most;
  u32 chunks = plan->total_words == 1 ? MOST_CHUNKS : MOST_CHUNKS / 2; /* registers: no spills */
  while (chunks > 1 && (chunks * bytes > tune->span || FEW_STAGES * chunks * bytes > ring ||
                        shape->tiles / chunks < (u64)limits->sms))
    chunks /= 2;
  shape->file = "scan/one_pass_bulk.cu";
  shape->kernel = "scan_stream";
  shape->chunks = chunks;
  shape->teams = tune->teams;
  shape->stages = ring / (chunks * bytes);
  if (shape->stages > MOST_STAGES) shape->stages = MOST_STAGES;
}

/* One wave of blocks, each of as few tiles as it takes for that. 0: too many tiles. */
static u32 few_tiles(const struct hd_cuda_limits *limits, const struct hd_cuda_scan_plan *plan,
                     u64 tiles) {
  const struct hd_cuda_tune_scan *tune = &hd_cuda_tune(limits)->scan;
  const u32 most = tune->tiles < SCAN_FEW_TILES ? tune->tiles : SCAN_FEW_TILES;
  u32 few = 1;
  if (tiles > tune->few) return 0;
  while (few < most && slots(plan, 2 * few) <= room(limits) && tiles > (u64)few * (u64)limits->sms)
    few *= 2;
  return tiles <= (u64)few * SCAN_FEW_SPANS ? few : 0;
}

static struct shape shape_of(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                             const struct hd_cuda_scan_piece *piece) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(call->cuda);
  const u32 row = plan->vector * plan->out_bytes;
  struct shape shape = {
      .chunks = 1, .stages = 1, .teams = 1, .file = "scan/one_pass.cu", .kernel = "scan"};
  shape.tiles = (piece->held + piece->count + plan->tile - 1) / plan->tile;
  shape.align = hd_cuda_alignment(piece->in - piece->held * (u64)plan->in_bytes, VECTOR);
  u32 out = hd_cuda_alignment(piece->out - piece->held * (u64)plan->out_bytes, VECTOR);
  shape.out_align = out >= (row < VECTOR ? row : VECTOR) ? VECTOR : 1;
  if (!piece->run && shape.tiles <= SCAN_BLOCK_TILES &&
      slots(plan, (u32)shape.tiles) <= room(limits)) {
    shape.file = "scan/single_block.cu";
    shape.kernel = "scan_block";
  } else if (!piece->run && (shape.few = few_tiles(limits, plan, shape.tiles)) > 0) {
    shape.file = "scan/one_wave.cu";
    shape.kernel = "scan_few";
  } else if (hd_cuda_tune(limits)->scan.span && shape.align == VECTOR) {
    struct shape stream = shape;
    shape_stream(limits, plan, &stream);
    if (!piece->run || plan->free || piece->chunks % stream.chunks == 0) return stream;
  }
  return shape;
}

static void define(struct hd_cuda_kernel_key *key, const struct hd_cuda_scan_plan *plan,
                   const struct shape *shape, bool pieces) {
  hd_cuda_fold_defines(key, &plan->scan.fold);
  hd_cuda_kernel_define(key, "HEDDLE_NARROW", plan->narrow);
  hd_cuda_kernel_define(key, "HEDDLE_OUT", plan->scan.fold.out_type);
  hd_cuda_kernel_define(key, "HEDDLE_OUT_ALIGN", shape->out_align);
  hd_cuda_kernel_define(key, "HEDDLE_EXCLUSIVE", plan->scan.kind == HEDDLE_EXCLUSIVE);
  hd_cuda_kernel_define(key, "HEDDLE_INIT", plan->scan.fold.init != NULL);
  hd_cuda_kernel_define(key, "HEDDLE_ALIGN", shape->align);
  hd_cuda_kernel_define(key, "HEDDLE_CHUNKS", shape->chunks);
  hd_cuda_kernel_define(key, "HEDDLE_STAGES", shape->stages);
  hd_cuda_kernel_define(key, "HEDDLE_TEAMS", shape->teams);
  hd_cuda_kernel_define(key, "HEDDLE_PIECES", pieces);
}

static void arguments_of(const struct hd_cuda_scan_plan *plan,
                         const struct hd_cuda_scan_piece *piece, const struct shape *shape,
                         struct scan_args *args) {
  *args = (struct scan_args){.in = piece->in, .out = piece->out, .count = piece->count};
  if (plan->scan.fold.init) {
    u64 init[2] = {0, 0};
    hd_cuda_fold_init_total(&plan->scan.fold, init);
    args->init = init[0];
  }
  args->chunks = shape->few ? shape->few : shape->chunks;
  args->spans = (u32)((shape->tiles + args->chunks - 1) / args->chunks);
  args->full = (u32)((piece->held + piece->count) / plan->tile);
  if (!piece->run) return;
  args->held = piece->partial;
  args->held_count = piece->held;
  args->before = piece->chunks ? piece->slots : 0;
  args->first = plan->free ? 0 : (u32)(piece->chunks / shape->chunks);
}

/* Room for every level's nodes from those of the first span's own block of 32 on. */
static heddle_status nodes_of(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                              struct scan_args *args) {
  u64 first = args->first, end = (u64)args->first + args->spans, nodes = 0;
  cu_pointer region;
  for (int k = 0; k < SCAN_LEVELS; k++) {
    const u64 from = first & ~UINT64_C(31), to = (end + 31) & ~UINT64_C(31);
    args->level[k] = (u32)(nodes - from);
    nodes += to - from;
    first >>= 5, end = (end + 31) >> 5;
  }
  HD_TRY(
      hd_cuda_region(call, HD_REGION_SCAN, HEADER_BYTES + nodes * plan->total_words * 8, &region));
  args->ticket = region;
  args->nodes = region + HEADER_BYTES;
  /* All that there is: it is cleared at once when the tags are used up. */
  args->words = (call->cuda->region[HD_REGION_SCAN].bytes - HEADER_BYTES) / 8;
  return HEDDLE_OK;
}

/* Blocks, at most one to every place that there is for them and every ticket. */
static u64 blocks_of(const struct hd_cuda_limits *limits, const struct hd_cuda_kernel *kernel,
                     u32 drawers, u32 spans) {
  u64 most = (u64)limits->sms * kernel->blocks_per_sm, wanted = (spans + drawers - 1) / drawers;
  if (wanted < (u64)limits->sms) wanted = spans < (u64)limits->sms ? spans : (u64)limits->sms;
  return wanted < most ? wanted : most;
}

static heddle_status launch(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                            const struct hd_cuda_kernel_key *key, const struct shape *shape,
                            struct scan_args *args) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(call->cuda);
  const bool stream = shape->stages > 1, alone = strcmp(shape->kernel, "scan_block") == 0;
  const u32 tile = plan->tile * plan->in_bytes;
  u32 warps = hd_cuda_tune(limits)->scan.warps, drawers = warps, shared = warps * tile;
  struct hd_cuda_kernel kernel;
  void *arguments[] = {args};
  u64 blocks = 1;
  if (stream) {
    warps = SCAN_OTHER_WARPS + SCAN_UP_WARPS + shape->teams * shape->chunks;
    drawers = 1, shared = shape->stages * shape->chunks * tile;
  } else if (alone) {
    warps = args->spans * SCAN_PARTS, shared = SCAN_SUMS_BYTES + slots(plan, args->spans);
  } else if (shape->few) {
    warps = shape->few * SCAN_PARTS, shared = slots(plan, shape->few);
    drawers = 1;
  }
  HD_TRY(hd_cuda_kernel(call, key, shape->kernel, warps * LANES, shared, &kernel));
  if (!alone) {
    HD_TRY(nodes_of(call, plan, args));
    blocks = shape->few ? args->spans : blocks_of(limits, &kernel, drawers, args->spans);
  }
  args->drawers = (u32)blocks * drawers;
  return hd_cuda_launch(call, &kernel, blocks, arguments);
}

/* One launch takes so many tiles: their index has SCAN_LEVELS digits. */
static const u64 most_tiles = UINT64_C(1) << 30;

heddle_status hd_cuda_scan_pass(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                                const struct hd_cuda_scan_piece *piece) {
  struct scan_args args;
  if (!piece->count) return HEDDLE_OK;
  if (plan->scan.fold.custom) return hd_cuda_scan_custom_pass(call, plan, piece);
  const struct shape shape = shape_of(call, plan, piece);
  struct hd_cuda_kernel_key key = {.file = shape.file};
  if ((plan->free ? 0 : piece->chunks) + shape.tiles >= most_tiles)
    return hd_fail(
        HEDDLE_UNSUPPORTED,
        "%s: a scan on a device takes fewer than 2^30 tiles of %u elements; cut the array",
        plan->scan.fold.entry, plan->tile);
  define(&key, plan, &shape, piece->run != NULL);
  arguments_of(plan, piece, &shape, &args);
  return launch(call, plan, &key, &shape, &args);
}
