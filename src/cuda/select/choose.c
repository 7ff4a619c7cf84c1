/* choose.c - which kernel selects, and how large its tiles are
 *
 * Method   Long arrays have bulk copies, unless they are selected in place or values have one or two bytes
 *          (compact_bulk.cu; sizes in core/tune.c). Others have tiles in registers: a block has one on its way from memory
 *          and two in shared memory, of 32 KiB of the larger of keys and values, or 16 where those are bytes: on one H100
 *          half of 2^28 f32 came at 2,404 GB/s; tiles of 16 KiB, by four blocks, at 2,286, of 24 KiB at 2,111, and 32 KiB
 *          by blocks of half as many threads at 2,296. Short arrays want blocks for all processors. Keys and values apart
 *          take registers for both. Results do not depend on it. */
#include "cuda/core/tune.h"
#include "select.h"

enum {
  THREADS = 512,
  BLOCKS = 2,
  SHORT_THREADS = 256,
  SHORT_BLOCKS = 4,
  REGISTER_BLOCKS = 3, /* threads have two arrays, or more elements of one or two bytes */
  SHORT_MOST = 1 << 22,
  SOFTWARE_THREADS = 128,
  LEAST_ITEMS = 4,
  MOST_ITEMS = 32,
  SPARED = 1 << 20,
  STATIC_BYTES = 8192, /* of compact.cu, and what a driver takes */
  LANES = 32,
  VECTOR = 16,
  LINE = 128, /* of compact_bulk.cu */
  LEAST_STAGES = 2,
  MOST_STAGES = 5,
  LEAST_PARTS = 2,       /* of tiles, that a warp has room for */
  RING_OWN_BYTES = 5120, /* of compact_bulk.cu */
  RING_LEAST_VALUE = 4
};

typedef const struct hd_cuda_limits limits_t;
typedef const struct hd_cuda_select_work work_t;

static bool is_apart(work_t *work) { return work->value_bytes && !work->same; }
static u32 largest_of(work_t *work) {
  return work->value_bytes > work->key_bytes ? work->value_bytes : work->key_bytes;
}

/* ---- compact_bulk.cu ------------------------------------------------------------------------- */

static u32 stage_bytes(work_t *work, u32 tile) {
  return (work->runs ? LINE : 0) + tile * work->key_bytes +
         (is_apart(work) ? tile * work->value_bytes + LINE : 0);
}
/* Of an element that is staged. */
static u32 staged_bytes(work_t *work) { return work->value_bytes + (work->position_bytes ? 2 : 0); }

/* Bytes of shared memory that a ring may have. */
static u32 ring_bytes(limits_t *limits) {
  const u32 ring = hd_cuda_tune(limits)->select.ring;
  const u32 most = (u32)limits->shared_per_block - RING_OWN_BYTES;
  return ring < most ? ring : most;
}

/* Sizes of a ring of blocks of so many warps that look at elements; false: there is no room for it. */
static bool ring_of(limits_t *limits, work_t *work, u32 warps, struct hd_cuda_select_sizes *sizes) {
  const u32 vector = VECTOR / work->key_bytes; /* a thread has whole ones */
  const u32 bytes = ring_bytes(limits), each = staged_bytes(work);
  u32 items = hd_cuda_tune(limits)->select.bytes / largest_of(work);
  if (items > MOST_ITEMS) items = MOST_ITEMS;
  items = items < vector ? vector : items - items % vector;
  const u32 tile = warps * LANES * items, stage = stage_bytes(work, tile);
  u32 stages = MOST_STAGES;
  while (stages * stage + LEAST_PARTS * tile * each > bytes)
    if (--stages < LEAST_STAGES) return false;
  u32 room = (bytes - stages * stage) / (warps * each) & ~15u;
  if (limits->software) room = LEAST_PARTS * items * LANES; /* full as often as can be */
  *sizes = (struct hd_cuda_select_sizes){.threads = warps * LANES,
                                         .items = items,
                                         .stages = stages,
                                         .depth = hd_cuda_tune(limits)->select.depth,
                                         .room = room,
                                         .shared = stages * stage + warps * room * each};
  return true;
}

static bool ring(limits_t *limits, work_t *work, struct hd_cuda_select_sizes *sizes) {
  const struct hd_cuda_tune_select *tune = &hd_cuda_tune(limits)->select;
  if (!tune->ring || work->in_place || (!work->value_bytes && !work->position_bytes)) return false;
  if (work->value_bytes && work->value_bytes < RING_LEAST_VALUE) return false;
  if (work->count <= SHORT_MOST && !limits->software) return false;
  return ring_of(limits, work, tune->warps, sizes) || ring_of(limits, work, tune->warps / 2, sizes);
}

/* ---- compact.cu and count.cu ----------------------------------------------------------------- */

static u32 shared_of(work_t *work, const struct hd_cuda_select_sizes *sizes, bool positions) {
  const u32 tile = sizes->threads * sizes->items;
  return 2 * ((work->value_bytes ? tile * work->value_bytes + 16 : 0) + (positions ? 2 * tile : 0));
}

struct hd_cuda_select_sizes hd_cuda_select_sizes(limits_t *limits, work_t *work) {
  const u32 largest = largest_of(work);
  const bool apart = is_apart(work);
  struct hd_cuda_select_sizes sizes = {0};
  if (ring(limits, work, &sizes)) return sizes;
  sizes = (struct hd_cuda_select_sizes){
      .threads = THREADS, .items = (apart ? 32u : 64u) / largest, .blocks = BLOCKS};
  if (sizes.items > (u32)MOST_ITEMS / (apart ? 2 : 1))
    sizes.items = (u32)MOST_ITEMS / (apart ? 2 : 1);
  if (sizes.items < LEAST_ITEMS) sizes.items = LEAST_ITEMS;
  if (work->count <= SHORT_MOST ||
      shared_of(work, &sizes, true) + STATIC_BYTES > (u32)limits->shared_per_block)
    sizes.threads = SHORT_THREADS, sizes.blocks = SHORT_BLOCKS;
  if (apart || largest < 4) sizes.threads = SHORT_THREADS, sizes.blocks = REGISTER_BLOCKS;
  if (limits->software) sizes.threads = SOFTWARE_THREADS, sizes.blocks = 1;
  sizes.shared = shared_of(work, &sizes, work->position_bytes != 0);
  return sizes;
}

/* A tile's count, and what comes before it, have 32 bits (kernels/select/look_back.h). */
u64 hd_cuda_select_most(limits_t *limits) {
  enum { SOFTWARE_MOST = 12000 };
  return limits->software ? SOFTWARE_MOST : ((u64)1 << 31) - SPARED;
}
