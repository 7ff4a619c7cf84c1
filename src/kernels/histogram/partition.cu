/* partition.cu - the counters of elements, grouped by ranges of counters
 *
 * Result   a.numbers, a.groups and a.loads, as parts.h has them
 * Defines  HEDDLE_TYPE, HEDDLE_KEY, HEDDLE_STRATEGY (find.h; no tables in shared memory),
 *          HEDDLE_SPAN (parts.h), HEDDLE_CHANNELS 1 to 4, HEDDLE_THREADS, HEDDLE_BLOCKS (an SM, at least), HEDDLE_VECTORS:
 *          loads of 16 bytes a thread and tile
 * Launch   any number of blocks of HEDDLE_THREADS, at least a.ranges of these
 * Memory   dynamic shared memory: a.stride numbers of 16 bits, then a word a range
 * Order    none shows: counts are integers
 * Method   kernels/base/partition.h; a tile is written as it lies in shared memory, by whole vectors
 * Source   docs/histogram.md */
#include "kernels/base/partition.h"
#include "order/device/element.h"

#include "parts.h"

#include "find.h"

#define PER (16 / ELEMENT_BYTES)
#define STEP (HEDDLE_THREADS * PER)
#define MINE (HEDDLE_VECTORS * PER) /* elements a thread */

struct part_block {
  u16 *numbers;
  u32 *counts; /* of the ranges; then where they begin */
  u32 *warps;
};

HD_DEVICE u32 counter_of(const struct hist_args *a, u32 rank, u64 i) {
#if HEDDLE_CHANNELS == 1
  (void)a, (void)i;
  return rank;
#else
  return rank + (u32)((a->first_channel + i) % HEDDLE_CHANNELS) * a->slots;
#endif
}

/* The counters of a thread's elements of tile t, and their places in their ranges, two a word. */
HD_DEVICE void warp_find_tile(const struct part_args *a, const struct part_block *b, u32 t,
                              u32 *counter, u32 *ranks) {
  const u64 first = (u64)t * STEP * HEDDLE_VECTORS + threadIdx.x * PER;
  u32 words[HEDDLE_VECTORS][4];
#pragma unroll
  for (int k = 0; k < HEDDLE_VECTORS; k++)
    load_words((const element *)a->count.in + first + (u64)k * STEP, 16, 16, words[k]);
#pragma unroll
  for (int k = 0; k < HEDDLE_VECTORS; k++) {
    key x[PER];
    u32 *found = counter + k * PER, range[PER], rank[PER];
#pragma unroll
    for (int j = 0; j < PER; j++) x[j] = to_key(word_element(words[k], j));
    find_ranks(&a->count.find, 0, x, found, PER);
#pragma unroll
    for (int j = 0; j < PER; j++) {
      found[j] = counter_of(&a->count, rank_of(found[j]), first + (u64)k * STEP + (u64)j);
      range[j] = found[j] / HEDDLE_SPAN;
    }
    warp_rank(b->counts, range, rank, PER);
#pragma unroll
    for (int j = 0; j < PER; j += 2) ranks[(k * PER + j) / 2] = rank[j] | rank[j + 1] << 16;
  }
}

/* Numbers to their places, and to memory. *load += thread's range's share. */
HD_DEVICE void block_write_tile(const struct part_args *a, const struct part_block *b, u32 t,
                                const u32 *counter, const u32 *ranks, u32 *load) {
  const u32 range = threadIdx.x, members = range < a->ranges ? b->counts[range] : 0;
  u32 places;
  const u32 start = block_offsets(members, b->warps, &places);
  if (range < a->ranges) {
    const u32 room = (members + HD_PART_PAD - 1) / HD_PART_PAD * HD_PART_PAD;
    for (u32 i = members; i < room; i++) b->numbers[start + i] = HEDDLE_SPAN;
    b->counts[range] = start;
    *load += room;
    ((u32 *)a->groups)[(u64)range * a->tiles + t] = HD_PART_GROUP(start, room);
  }
  __syncthreads(); /* ranges have their places */
#pragma unroll
  for (int j = 0; j < MINE; j++) {
    const u32 rank = ranks[j / 2] >> (j % 2 * 16) & 0xffffu;
    b->numbers[b->counts[counter[j] / HEDDLE_SPAN] + rank] = (u16)(counter[j] % HEDDLE_SPAN);
  }
  __syncthreads(); /* numbers are there, places are read */
  const uint4 *from = (const uint4 *)b->numbers;
  uint4 *to = (uint4 *)((u16 *)a->numbers + (u64)t * a->stride);
  for (u32 i = threadIdx.x; i < places / HD_PART_PAD; i += HEDDLE_THREADS) to[i] = from[i];
  if (range < a->ranges) b->counts[range] = 0;
  __syncthreads(); /* numbers are out, counts are zero */
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_histogram_partition(const __grid_constant__ struct part_args a) {
  extern __shared__ uint4 shared[];
  __shared__ u32 warps[HEDDLE_THREADS / 32];
  static_assert(HD_PART_PAD == HD_GROUP_PAD && HD_PART_PAD * sizeof(u16) == 16, "whole vectors");
  static_assert(HEDDLE_SPAN <= 0xffff, "numbers have 16 bits");
  struct part_block b;
  b.numbers = (u16 *)shared;
  b.counts = (u32 *)(b.numbers + a.stride);
  b.warps = warps;
  u32 load = 0;
  if (threadIdx.x < a.ranges) b.counts[threadIdx.x] = 0;
  __syncthreads(); /* counts are zero */
  for (u32 t = blockIdx.x; t < a.tiles; t += gridDim.x) {
    u32 counter[MINE], ranks[MINE / 2];
    warp_find_tile(&a, &b, t, counter, ranks);
    __syncthreads(); /* ranges are counted */
    block_write_tile(&a, &b, t, counter, ranks, &load);
  }
  if (threadIdx.x < a.ranges && load) atomicAdd((u32 *)a.loads + threadIdx.x, load);
}
