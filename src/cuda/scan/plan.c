/* plan.c - what a scan's kernels are compiled with and given, and their launches
 *
 * Shapes and defines are those of kernels/scan*.cu and kernels/scan/tile.h. */
#include "choose.h"
#include "cuda/core/inside.h"
#include "host/status.h"

#include "kernels/scan/args.h" /* needs their types */

enum { HEADER_BYTES = 256, LANES = 32, VECTOR = 16 };

_Static_assert(sizeof(struct scan_args) == 9 * 8 + 6 * 4 + SCAN_LEVELS * 4, "no gaps");

void hd_cuda_scan_plan(struct hd_cuda_scan_plan *plan, const struct hd_scan *scan) {
  const struct hd_fold *fold = &scan->fold;
  const bool arithmetic = hd_is_arithmetic(fold->op);
  *plan = (struct hd_cuda_scan_plan){.scan = *scan, .order_free = hd_cuda_fold_is_order_free(fold)};
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
  plan->vector = plan->order_free ? bytes / plan->in_bytes : hd_cuda_fold_lanes(fold) / LANES;
  plan->tile = SCAN_ROWS * LANES * plan->vector;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* What a launch is compiled for beside its choice. */
struct aligned {
  u32 in, out;
};

static struct aligned align(const struct hd_cuda_scan_plan *plan,
                            const struct hd_cuda_scan_piece *piece) {
  const u32 row = plan->vector * plan->out_bytes, whole = row < VECTOR ? row : VECTOR;
  const u32 out = hd_cuda_alignment(piece->out - piece->held * (u64)plan->out_bytes, VECTOR);
  return (struct aligned){hd_cuda_alignment(piece->in - piece->held * (u64)plan->in_bytes, VECTOR),
                          out >= whole ? VECTOR : 1};
}

static void define(struct hd_cuda_kernel_key *key, const struct hd_cuda_scan_plan *plan,
                   const struct hd_cuda_scan_choice *choice, struct aligned align, bool pieces) {
  hd_cuda_fold_defines(key, &plan->scan.fold);
  hd_cuda_kernel_define(key, "HEDDLE_NARROW", plan->narrow);
  hd_cuda_kernel_define(key, "HEDDLE_OUT", plan->scan.fold.out_type);
  hd_cuda_kernel_define(key, "HEDDLE_OUT_ALIGN", align.out);
  hd_cuda_kernel_define(key, "HEDDLE_EXCLUSIVE", plan->scan.kind == HEDDLE_EXCLUSIVE);
  hd_cuda_kernel_define(key, "HEDDLE_INIT", plan->scan.fold.init != NULL);
  /* Few variants: each is compiled when it is first met. */
  hd_cuda_kernel_define(key, "HEDDLE_ALIGN",
                        choice->any_shift && align.in < VECTOR ? plan->in_bytes : align.in);
  hd_cuda_kernel_define(key, "HEDDLE_CHUNKS", choice->chunks);
  hd_cuda_kernel_define(key, "HEDDLE_STAGES", choice->stages);
  hd_cuda_kernel_define(key, "HEDDLE_TEAMS", choice->teams);
  hd_cuda_kernel_define(key, "HEDDLE_PIECES", pieces);
}

static void arguments_of(const struct hd_cuda_scan_plan *plan,
                         const struct hd_cuda_scan_piece *piece, u64 tiles,
                         const struct hd_cuda_scan_choice *choice, struct scan_args *args) {
  *args = (struct scan_args){.in = piece->in, .out = piece->out, .count = piece->count};
  if (plan->scan.fold.init) {
    u64 init[2] = {0, 0};
    hd_cuda_fold_init_total(&plan->scan.fold, init);
    args->init = init[0];
  }
  args->chunks = choice->span_tiles;
  args->spans = (u32)((tiles + args->chunks - 1) / args->chunks);
  args->full = (u32)((piece->held + piece->count) / plan->tile);
  if (!piece->run) return;
  args->held = piece->partial;
  args->held_count = piece->held;
  args->before = piece->chunks ? piece->slots : 0;
  args->first = plan->order_free ? 0 : (u32)(piece->chunks / choice->chunks);
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
                            const struct hd_cuda_kernel_key *key,
                            const struct hd_cuda_scan_choice *choice, struct scan_args *args) {
  const struct hd_cuda_choice *l = &choice->launch;
  struct hd_cuda_kernel kernel;
  u64 blocks = l->blocks;
  HD_TRY(hd_cuda_kernel(call, key, l->kernel, l->threads, l->shared_bytes, &kernel));
  if (choice->drawers) HD_TRY(nodes_of(call, plan, args));
  if (!blocks)
    blocks = blocks_of(hd_cuda_limits(call->cuda), &kernel, choice->drawers, args->spans);
  args->drawers = (u32)blocks * choice->drawers;
  return hd_cuda_launch(call, &kernel, blocks, args, sizeof *args);
}

/* One launch takes so many tiles: their index has SCAN_LEVELS digits. */
static const u64 most_tiles = UINT64_C(1) << 30;

static heddle_status check_tiles(const struct hd_cuda_scan_plan *plan,
                                 const struct hd_cuda_scan_extent *extent) {
  if ((plan->order_free ? 0 : extent->chunks) + extent->tiles < most_tiles) return HEDDLE_OK;
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: a scan on a device takes fewer than 2^30 tiles of %u elements; cut the array",
                 plan->scan.fold.entry, plan->tile);
}

static struct hd_cuda_scan_extent extent_of(const struct hd_cuda_scan_plan *plan,
                                            const struct hd_cuda_scan_piece *piece) {
  return (struct hd_cuda_scan_extent){.tiles = (piece->held + piece->count + plan->tile - 1) /
                                               plan->tile,
                                      .chunks = piece->chunks,
                                      .follows = piece->run != NULL};
}

heddle_status hd_cuda_scan_explain(heddle_context *ctx, const struct hd_scan *scan, size_t count,
                                   u32 align, heddle_plan *out) {
  const struct hd_cuda_scan_piece piece = {.in = align, .out = align, .count = count};
  struct hd_cuda_scan_plan plan;
  struct hd_cuda_scan_choice choice;
  hd_cuda_scan_plan(&plan, scan);
  if (scan->fold.custom) {
    const struct hd_cuda_choice custom = hd_cuda_scan_custom_choice(&plan, count);
    return hd_cuda_explain(ctx, &custom, NULL, out);
  }
  const struct hd_cuda_scan_extent extent = extent_of(&plan, &piece);
  HD_TRY(check_tiles(&plan, &extent));
  hd_cuda_scan_choose(hd_cuda_limits(ctx->data), &plan, &extent, &choice);
  return hd_cuda_explain(ctx, &choice.launch, NULL, out);
}

heddle_status hd_cuda_scan_pass(struct hd_cuda_call *call, const struct hd_cuda_scan_plan *plan,
                                const struct hd_cuda_scan_piece *piece) {
  struct scan_args args;
  if (!piece->count) return HEDDLE_OK;
  if (plan->scan.fold.custom) return hd_cuda_scan_custom_pass(call, plan, piece);
  const struct aligned aligned = align(plan, piece);
  const struct hd_cuda_scan_extent extent = extent_of(plan, piece);
  struct hd_cuda_scan_choice choice;
  hd_cuda_scan_choose(hd_cuda_limits(call->cuda), plan, &extent, &choice);
  struct hd_cuda_kernel_key key = {.file = choice.launch.file};
  HD_TRY(check_tiles(plan, &extent));
  define(&key, plan, &choice, aligned, piece->run != NULL);
  arguments_of(plan, piece, extent.tiles, &choice, &args);
  return launch(call, plan, &key, &choice, &args);
}
