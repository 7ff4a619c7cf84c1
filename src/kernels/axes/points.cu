/* points.cu - points to slots of a grid, which are counted, or written for another kernel to count
 *
 * Result   a.count.totals[slot] += the points of a slot, and with a.count.finish the output itself; or
 *          a.slots[i] = the slot of point i. a.outside[3 * d + ..] += points that axis d has no bin for
 * Defines  those of find.h; HEDDLE_DIMS; HEDDLE_FLOW 1: below and above are slots, too; HEDDLE_OUTSIDE 1:
 *          a.outside is there; HEDDLE_PACKED 1: columns are dense, and 16 bytes of all of them begin at the
 *          same points; HEDDLE_WHERE, HEDDLE_THREADS, HEDDLE_BLOCKS, HEDDLE_VECTORS, HEDDLE_AHEAD,
 *          HEDDLE_HALVES: as of kernels/histogram/count.cu, but HEDDLE_WHERE is HD_WHERE_SHARED,
 *          HD_WHERE_GLOBAL or HD_WHERE_SLOTS, and a vector is one of each axis, or without
 *          HEDDLE_PACKED an element
 * Launch   any number of blocks of HEDDLE_THREADS
 * Memory   dynamic shared memory: with HD_WHERE_SHARED counters_words(a.count.span) words, then from an even
 *          word on the tables of all axes
 * Order    none shows: integers
 * Method   Blocks take tiles in turn. A thread finds the bins of one axis after the other for all points of
 *          a vector, while the next vectors are on their way; points are read once, and of their slots
 *          nothing is written where a block has room for counters.
 * Limits   less than 2^32 points a block
 * Source   docs/histogram.md */
#include "order/device/element.h"

#include "find.h"

#define HEDDLE_COPIES 1
#include "kernels/histogram/counters.h"
#include "kernels/histogram/finish.h"

#if HEDDLE_PACKED
#define PER (16 / ELEMENT_BYTES) /* points a vector */
#define PACK_BYTES 16
#else
#define PER 1
#define PACK_BYTES ELEMENT_BYTES
#endif
#define WORDS ((PACK_BYTES + 3) / 4)
#define STEP (HEDDLE_THREADS * PER) /* points between a thread's vectors */

struct points_block {
  struct hist_share share;
  u32 *counters;
  u32 *outside; /* u32[3] an axis */
  u32 *tables;  /* of all axes, one behind the other */
};

/* The slot that points without one have. */
HD_DEVICE u32 no_slot(const struct axes_args *a) { return a->count.slots - 3; }

/* ---- from elements to slots ------------------------------------------------------------------ */

/* Adds the bins of `count` points on axis d to their slots; bit j of *lost: point j has none. */
HD_DEVICE void axis_add(const struct axis_args *axis, u32 *outside, const u32 *bin, int count,
                        u32 *slot, u32 *lost) {
  const u32 bins = axis->find.bins;
  bool any = false;
#pragma unroll
  for (int j = 0; j < count; j++) {
    const bool out = bin[j] >= bins;
    any = any || out;
#if HEDDLE_FLOW
    const u32 beyond = bin[j] == bins ? 0 : bins + 1;
    slot[j] += (out ? beyond : bin[j] + 1) * axis->apart;
#else
    slot[j] += bin[j] * axis->apart;
    *lost |= (u32)out << j;
#endif
  }
  (void)lost;
#if HEDDLE_OUTSIDE
  if (!any) return;
#pragma unroll
  for (int j = 0; j < count; j++)
    if (bin[j] >= bins) atomicAdd(&outside[bin[j] - bins], 1u);
#else
  (void)any, (void)outside;
#endif
}

/* The slots of `count` points, of which x are the elements. */
HD_DEVICE void slots_end(const struct axes_args *a, u32 *slot, int count, u32 lost) {
#if !HEDDLE_FLOW
#pragma unroll
  for (int j = 0; j < count; j++) slot[j] = lost >> j & 1 ? no_slot(a) : slot[j];
#else
  (void)a, (void)slot, (void)count, (void)lost;
#endif
}

HD_DEVICE void pack_slots(const struct axes_args *a, const struct points_block *b,
                          u32 (*words)[WORDS], u32 *slot) {
  u32 lost = 0;
#pragma unroll
  for (int j = 0; j < PER; j++) slot[j] = 0;
#pragma unroll
  for (int d = 0; d < HEDDLE_DIMS; d++) {
    element x[PER];
    u32 bin[PER];
#pragma unroll
    for (int j = 0; j < PER; j++) x[j] = word_element(words[d], j);
    axis_bins(&a->axis[d], b->tables, x, bin, PER);
    axis_add(&a->axis[d], b->outside + 3 * d, bin, PER, slot, &lost);
  }
  slots_end(a, slot, PER, lost);
}

HD_DEVICE u32 point_slot(const struct axes_args *a, const struct points_block *b, u64 i) {
  u32 slot = 0, lost = 0;
#pragma unroll 1
  for (int d = 0; d < HEDDLE_DIMS; d++) {
    const struct axis_args *axis = &a->axis[d];
    const element x =
        ((const element *)axis->column)[HEDDLE_PACKED ? (i64)i : (i64)i * axis->stride];
    u32 bin;
    axis_bins(axis, b->tables, &x, &bin, 1);
    axis_add(axis, b->outside + 3 * d, &bin, 1, &slot, &lost);
  }
  slots_end(a, &slot, 1, lost);
  return slot;
}

/* ---- what becomes of slots ------------------------------------------------------------------- */

HD_DEVICE void take_slot(const struct axes_args *a, const struct points_block *b, u64 i, u32 slot) {
#if HEDDLE_WHERE == HD_WHERE_SLOTS
  (void)b;
  ((u32 *)a->slots)[i] = slot;
#else
  (void)i;
  if (HEDDLE_WHERE == HD_WHERE_GLOBAL && slot == no_slot(a)) return; /* crowds there would wait */
  counters_one(&a->count, &b->share, b->counters, slot);
#endif
}

/* Points first .. first + PER - 1. whole: all lanes of the warp arrive. */
HD_DEVICE void warp_take_pack(const struct axes_args *a, const struct points_block *b, u64 first,
                              const u32 *slot, bool whole) {
  (void)whole;
#if HEDDLE_WHERE == HD_WHERE_SLOTS && HEDDLE_PACKED
  u32 *to = (u32 *)a->slots + first; /* the host has laid it on a multiple of 4 * PER, up to 16 */
#if PER == 2
  *(uint2 *)to = make_uint2(slot[0], slot[1]);
#else
#pragma unroll
  for (int j = 0; j < PER; j += 4)
    *(uint4 *)(to + j) = make_uint4(slot[j], slot[j + 1], slot[j + 2], slot[j + 3]);
#endif
  (void)b;
#elif HEDDLE_HALVES
  (void)first;
  warp_count_pack(&a->count, &b->share, b->counters, slot, PER, whole);
#else
#pragma unroll
  for (int j = 0; j < PER; j++) take_slot(a, b, first + (u64)j, slot[j]);
#endif
}

/* ---- all points ------------------------------------------------------------------------------ */

HD_DEVICE void load_batch(const struct axes_args *a, u64 first, int vectors,
                          u32 (*words)[HEDDLE_DIMS][WORDS]) {
#pragma unroll
  for (int k = 0; k < vectors; k++)
#pragma unroll
    for (int d = 0; d < HEDDLE_DIMS; d++) {
      const struct axis_args *axis = &a->axis[d];
      const i64 i = (i64)(first + (u64)k * STEP);
      load_words((const element *)axis->column + (HEDDLE_PACKED ? i : i * axis->stride), PACK_BYTES,
                 PACK_BYTES, words[k][d]);
    }
}

HD_DEVICE void block_take_batch(const struct axes_args *a, const struct points_block *b, u64 first,
                                int vectors, u32 (*words)[HEDDLE_DIMS][WORDS], bool whole) {
#pragma unroll
  for (int k = 0; k < vectors; k++) {
    u32 slot[PER];
    pack_slots(a, b, words[k], slot);
    warp_take_pack(a, b, first + (u64)k * STEP, slot, whole);
  }
#if HEDDLE_HALVES
  static_assert(STEP * HEDDLE_VECTORS <= 1 << 14, "kernels/histogram/halves.h");
  if (whole) block_halves_barrier();
#endif
}

/* Tiles of HEDDLE_VECTORS a thread; returns the first point behind them. */
HD_DEVICE u64 block_take_tiles(const struct axes_args *a, const struct points_block *b, u64 head) {
  const u64 tile = (u64)STEP * HEDDLE_VECTORS, tiles = (a->count.count - head) / tile;
  const u64 mine = head + threadIdx.x * PER, step = b->share.members;
  u32 words[HEDDLE_VECTORS][HEDDLE_DIMS][WORDS];
#if HEDDLE_AHEAD
  u32 next[HEDDLE_VECTORS][HEDDLE_DIMS][WORDS];
  u64 t = b->share.member;
  if (t < tiles) load_batch(a, mine + t * tile, HEDDLE_VECTORS, words);
  for (; t < tiles; t += step) {
    if (t + step < tiles) load_batch(a, mine + (t + step) * tile, HEDDLE_VECTORS, next);
    block_take_batch(a, b, mine + t * tile, HEDDLE_VECTORS, words, true);
#pragma unroll
    for (int k = 0; k < HEDDLE_VECTORS; k++)
#pragma unroll
      for (int d = 0; d < HEDDLE_DIMS; d++)
#pragma unroll
        for (int w = 0; w < WORDS; w++) words[k][d][w] = next[k][d][w];
  }
#else
  for (u64 t = b->share.member; t < tiles; t += step) {
    load_batch(a, mine + t * tile, HEDDLE_VECTORS, words);
    block_take_batch(a, b, mine + t * tile, HEDDLE_VECTORS, words, true);
  }
#endif
  return head + tiles * tile;
}

HD_DEVICE void block_take_all(const struct axes_args *a, const struct points_block *b) {
  const u64 count = a->count.count;
  u64 head = HEDDLE_PACKED ? (0 - a->axis[0].column) % 16 / ELEMENT_BYTES : 0;
  if (head > count) head = count;
  const u64 from = block_take_tiles(a, b, head);
  const u64 ends = head + (count - head) / PER * PER; /* whole vectors end here */
  /* Less than a tile: HEDDLE_HALVES needs no barrier. */
  u32 words[1][HEDDLE_DIMS][WORDS];
  for (u64 i = from + (b->share.member * HEDDLE_THREADS + threadIdx.x) * (u64)PER; i < ends;
       i += b->share.members * (u64)STEP) {
    load_batch(a, i, 1, words);
    block_take_batch(a, b, i, 1, words, false);
  }
  if (b->share.member || !HEDDLE_PACKED) return;
  if (threadIdx.x < head) take_slot(a, b, threadIdx.x, point_slot(a, b, threadIdx.x));
  if (threadIdx.x < count - ends)
    take_slot(a, b, ends + threadIdx.x, point_slot(a, b, ends + threadIdx.x));
}

HD_DEVICE void tables_load(const struct axes_args *a, u32 *to) {
#if HEDDLE_STRATEGY == HD_STRATEGY_BUCKETS
  for (int d = 0; d < HEDDLE_DIMS; d++) {
    const struct axis_args *axis = &a->axis[d];
    for (u32 i = threadIdx.x; i < axis->find.words; i += HEDDLE_THREADS)
      to[axis->table + i] = __ldg((const u32 *)axis->packed + i);
  }
#else
  (void)a, (void)to;
#endif
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_axes_points(const __grid_constant__ struct axes_args a) {
  extern __shared__ u32 shared[];
  __shared__ u32 outside[3 * HEDDLE_DIMS];
  struct points_block b;
  b.share = share_of(&a.count);
  b.counters = shared;
  b.tables =
      shared + (HEDDLE_WHERE == HD_WHERE_SHARED ? (counters_words(a.count.span) + 1) & ~1u : 0);
  b.outside = outside;
  if (threadIdx.x < 3 * HEDDLE_DIMS) outside[threadIdx.x] = 0;
#if HEDDLE_WHERE == HD_WHERE_SHARED
  counters_clear(&b.share, shared);
#endif
  tables_load(&a, b.tables);
  __syncthreads(); /* counters are zero, tables are there */
  block_take_all(&a, &b);
  __syncthreads(); /* all is counted */
#if HEDDLE_WHERE == HD_WHERE_SHARED
  counters_flush(&a.count, &b.share, shared);
#endif
#if HEDDLE_OUTSIDE
  if (threadIdx.x < 3 * HEDDLE_DIMS && outside[threadIdx.x])
    memory_add64((u64 *)a.outside + threadIdx.x, outside[threadIdx.x]);
#endif
  if (a.count.finish) block_finish(&a.count);
}
