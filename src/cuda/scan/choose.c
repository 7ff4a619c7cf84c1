/* choose.c - which kernel scans a piece of an array: the table, and the sizes of a launch
 *
 * Method   The first line of the table that takes the piece lays the launch out. The bits of the
 *          results do not depend on the choice. An operator of the caller's has kernels of its own
 *          (custom.c). */
#include "choose.h"

#include "cuda/core/tune.h"

#include "kernels/scan/args.h" /* needs their types */

enum {
  LANES = 32,
  MOST_CHUNKS = 8,
  MOST_STAGES = 14,
  LEAST_STAGES = 3,
  BULK_ROOM = 128, /* for a tile's shift: SCAN_ROOM of one_pass_bulk */
  ROOM = 16,       /* and of one_pass */
  OWN_BYTES = 2048 /* of a kernel's own shared memory, at most, and what the driver takes */
};

typedef const struct hd_cuda_limits limits_t;
typedef const struct hd_cuda_scan_plan plan_t;
typedef const struct hd_cuda_scan_extent extent_t;

static const struct hd_cuda_tune_scan *tune(limits_t *limits) {
  return &hd_cuda_tune(limits)->scan;
}

/* Bytes of shared memory that a block may ask for, for tiles in parts (kernels/scan/part.h): of
 * each tile it keeps three of four parts, unless the fold is order-free. */
static u32 room(limits_t *limits) { return (u32)limits->shared_per_block - OWN_BYTES; }
static u32 tile_bytes(plan_t *plan) { return plan->tile * plan->in_bytes; }
static u32 span_bytes(plan_t *plan, u32 chunks) { return chunks * tile_bytes(plan) + BULK_ROOM; }
static u32 part_slots(plan_t *plan, u32 tiles) {
  return plan->order_free ? 0 : tiles * (tile_bytes(plan) - tile_bytes(plan) / SCAN_PARTS);
}

/* ---- which line takes a piece ---------------------------------------------------------------- */

static bool is_single_block(limits_t *limits, plan_t *plan, extent_t *e) {
  return !e->follows && e->tiles <= SCAN_BLOCK_TILES &&
         part_slots(plan, (u32)e->tiles) <= room(limits);
}

/* Tiles of a block, as few as it takes for one wave of blocks; 0: too many tiles. */
static u32 wave_tiles(limits_t *limits, plan_t *plan, u64 tiles) {
  const u32 most = tune(limits)->tiles < SCAN_WAVE_TILES ? tune(limits)->tiles : SCAN_WAVE_TILES;
  u32 per = 1;
  if (tiles > tune(limits)->one_wave) return 0;
  while (per < most && part_slots(plan, 2 * per) <= room(limits) &&
         tiles > (u64)per * (u64)limits->sms)
    per *= 2;
  return tiles <= (u64)per * SCAN_WAVE_SPANS ? per : 0;
}

static bool is_one_wave(limits_t *limits, plan_t *plan, extent_t *e) {
  return !e->follows && wave_tiles(limits, plan, e->tiles);
}

/* Bytes of all the spans that a block has room for. */
static u32 ring_bytes(limits_t *limits) {
  const u32 most = room(limits);
  return tune(limits)->stages < most ? tune(limits)->stages : most;
}

/* Tiles of a span: as many as leave one to every processor, and room for a few in a block. */
static u32 bulk_chunks(limits_t *limits, plan_t *plan, u64 tiles) {
  u32 chunks = plan->total_words == 1 ? MOST_CHUNKS : MOST_CHUNKS / 2; /* registers: no spills */
  while (chunks > 1 && (chunks * tile_bytes(plan) > tune(limits)->span ||
                        LEAST_STAGES * span_bytes(plan, chunks) > ring_bytes(limits) ||
                        tiles / chunks < (u64)limits->sms))
    chunks /= 2;
  return chunks;
}

/* There are bulk copies, and spans begin with the piece. */
static bool is_one_pass_bulk(limits_t *limits, plan_t *plan, extent_t *e) {
  if (!tune(limits)->span) return false;
  return !e->follows || plan->order_free || e->chunks % bulk_chunks(limits, plan, e->tiles) == 0;
}

static bool is_any(limits_t *limits, plan_t *plan, extent_t *e) {
  return (void)limits, (void)plan, (void)e, true;
}

/* ---- the launch of each line ----------------------------------------------------------------- */

static void single_block(limits_t *limits, plan_t *plan, extent_t *e,
                         struct hd_cuda_scan_choice *c) {
  (void)limits;
  c->launch.threads = (u32)e->tiles * SCAN_PARTS * LANES;
  c->launch.shared_bytes = SCAN_SUMS_BYTES + part_slots(plan, (u32)e->tiles);
  c->launch.blocks = 1;
}

static void one_wave(limits_t *limits, plan_t *plan, extent_t *e, struct hd_cuda_scan_choice *c) {
  c->span_tiles = wave_tiles(limits, plan, e->tiles);
  c->drawers = 1;
  c->launch.threads = c->span_tiles * SCAN_PARTS * LANES;
  c->launch.shared_bytes = part_slots(plan, c->span_tiles);
  c->launch.blocks = (e->tiles + c->span_tiles - 1) / c->span_tiles;
}

static void one_pass_bulk(limits_t *limits, plan_t *plan, extent_t *e,
                          struct hd_cuda_scan_choice *c) {
  c->chunks = c->span_tiles = bulk_chunks(limits, plan, e->tiles);
  const u32 span = span_bytes(plan, c->chunks);
  c->teams = tune(limits)->teams;
  c->stages = ring_bytes(limits) / span;
  if (c->stages > MOST_STAGES) c->stages = MOST_STAGES;
  c->drawers = 1;
  c->any_shift = true;
  c->launch.threads = (SCAN_OTHER_WARPS + SCAN_UP_WARPS + c->teams * c->chunks) * LANES;
  c->launch.shared_bytes = c->stages * span;
}

/* A warp a tile. */
static void one_pass(limits_t *limits, plan_t *plan, extent_t *e, struct hd_cuda_scan_choice *c) {
  (void)e;
  c->drawers = tune(limits)->warps;
  c->launch.threads = c->drawers * LANES;
  c->any_shift = true;
  c->launch.shared_bytes = c->drawers * (tile_bytes(plan) + ROOM);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct strategy {
  const char *name, *file, *kernel;
  bool (*takes)(limits_t *, plan_t *, extent_t *);
  void (*lay_out)(limits_t *, plan_t *, extent_t *, struct hd_cuda_scan_choice *);
} table[] = {
    {"single_block", "scan/single_block.cu", "heddle_scan_single_block", is_single_block,
     single_block},
    {"one_wave", "scan/one_wave.cu", "heddle_scan_one_wave", is_one_wave, one_wave},
    {"one_pass_bulk", "scan/one_pass_bulk.cu", "heddle_scan_one_pass_bulk", is_one_pass_bulk,
     one_pass_bulk},
    {"one_pass", "scan/one_pass.cu", "heddle_scan_one_pass", is_any, one_pass},
};

void hd_cuda_scan_choose(limits_t *limits, plan_t *plan, extent_t *extent,
                         struct hd_cuda_scan_choice *choice) {
  const struct strategy *line = table;
  while (!line->takes(limits, plan, extent)) line++;
  *choice = (struct hd_cuda_scan_choice){
      .launch = {.strategy = line->name, .file = line->file, .kernel = line->kernel},
      .span_tiles = 1,
      .chunks = 1,
      .stages = 1,
      .teams = 1};
  line->lay_out(limits, plan, extent, choice);
}
