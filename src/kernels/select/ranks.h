/* ranks.h - how many of a tile's elements are selected before each of its vectors
 *
 * Result   warp_rank_rows, then, behind a barrier, thread_rank_rows
 * Defines  flags.h's
 * Method   A thread has a vector in each row of its warp. Counts of all rows lie side by side in one word, so that one
 *          sum over the lanes before serves them all. */
#ifndef HEDDLE_KERNELS_SELECT_RANKS_H
#define HEDDLE_KERNELS_SELECT_RANKS_H

#include "flags.h"

/* How many of the tile's elements are selected before each vector of the thread. */
struct tile_ranks {
  u32 row[KEY_ROWS];
};

#if KEY_VECTOR <= 4
#define FIELD 8
#else
#define FIELD 16
#endif
#if KEY_VECTOR == 8 || KEY_ROWS > 4
typedef u64 row_counts; /* up to four */
#else
typedef u32 row_counts;
#endif
static_assert(KEY_ROWS * FIELD <= 8 * sizeof(row_counts), "a field a row");
static_assert(32 * KEY_VECTOR < 1 << FIELD, "a warp's vectors");

HD_DEVICE u32 row_count(row_counts counts, u32 j) {
  return (u32)(counts >> (FIELD * j)) & ((1u << FIELD) - 1);
}

/* Ranks among the warp's elements; their number, which goes to sums, too, a word a warp. All lanes arrive. */
HD_DEVICE u32 warp_rank_rows(const struct tile_flags *flags, struct tile_ranks *ranks, u32 *sums) {
  const u32 lane = threadIdx.x % 32;
  row_counts own = 0;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) own |= (row_counts)__popc(flags->row[j]) << (FIELD * j);
  row_counts upto = own;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    const row_counts other = __shfl_up_sync(HD_ALL, upto, d);
    if (lane >= d) upto += other;
  }
  const row_counts all = __shfl_sync(HD_ALL, upto, 31);
  u32 before = 0;
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    ranks->row[j] = before + row_count(upto - own, j);
    before += row_count(all, j);
  }
  if (lane == 0) sums[threadIdx.x / 32] = before;
  return before;
}

/* Ranks among the tile's elements, once all warps have counted; their number. */
HD_DEVICE u32 thread_rank_rows(const u32 *sums, struct tile_ranks *ranks) {
  u32 before = 0, all = 0;
#pragma unroll
  for (u32 w = 0; w < HEDDLE_THREADS / 32; w++) {
    if (w == threadIdx.x / 32) before = all;
    all += sums[w];
  }
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) ranks->row[j] += before;
  return all;
}

#endif
