/* rank.h - the places of a tile's elements in the order of a digit, stable
 *
 * Result   warp_count     the digits of a warp's elements, counted
 *          block_starts   counts turned into the places at which each warp's elements of a digit begin
 *          warp_rank_row  the places of 32 neighbours
 * Defines  HEDDLE_THREADS of a block, at least SORT_BINS
 * Memory   counts: SORT_BINS words a warp, in shared memory
 * Method   A tile's elements are of its first warp, then of its second, and so on; of a warp row by row.
 *          Each warp counts its own. A thread a digit adds over the warps; one sum over the block gives
 *          where digits begin. The lanes of a row that have one digit find each other by a vote a bit.
 * Source   Adinets and Merrill 2022 (onesweep) */
#ifndef HEDDLE_KERNELS_SORT_RANK_H
#define HEDDLE_KERNELS_SORT_RANK_H

#include "kernels/base/partition.h"

#include "key.h"

#define SORT_WARPS (HEDDLE_THREADS / 32)
static_assert(HEDDLE_THREADS >= SORT_BINS, "a thread a digit");

/* All lanes arrive; they are together again behind. */
HD_DEVICE void warp_clear_counts(u32 *counts) {
  const uint4 none = {0, 0, 0, 0};
  for (u32 i = threadIdx.x % 32; i < SORT_BINS / 4; i += 32) ((uint4 *)counts)[i] = none;
  __syncwarp();
}

/* Lanes with the same of 256 digits; all lanes arrive. */
HD_DEVICE u32 warp_peers(u32 digit) {
  u32 peers = warp_alike(digit, 1u);
  peers &= warp_alike(digit, 2u);
  peers &= warp_alike(digit, 4u);
  peers &= warp_alike(digit, 8u);
  peers &= warp_alike(digit, 16u);
  peers &= warp_alike(digit, 32u);
  peers &= warp_alike(digit, 64u);
  return peers & warp_alike(digit, 128u);
}

/* A row's places: all lanes arrive, and are together again behind. below: lanes before this one. */
HD_DEVICE u32 warp_rank_row(u32 *counts, u32 digit, u32 below) {
  const u32 peers = warp_peers(digit), rank = counts[digit] + (u32)__popc(peers & below);
  __syncwarp();                                                    /* all have read */
  if (!(peers & ~below & ~(below + 1u))) counts[digit] = rank + 1; /* the last of them */
  __syncwarp();                                                    /* the next row's lanes see it */
  return rank;
}

/* How many of the block's elements have digit `column`, the thread's, in so many tables, a constant:
 * after a barrier behind the counting. */
HD_DEVICE u32 thread_sum_counts(const u32 *counts, u32 tables, u32 column) {
  u32 sum = 0;
  if (threadIdx.x < SORT_BINS)
#pragma unroll
    for (u32 w = 0; w < tables; w++) sum += counts[w * SORT_BINS + column];
  return sum;
}

/* Counts become places; `start`: of that digit. A barrier has to follow. */
HD_DEVICE void thread_set_starts(u32 *counts, u32 tables, u32 column, u32 start) {
  if (threadIdx.x < SORT_BINS)
#pragma unroll
    for (u32 w = 0; w < tables; w++) {
      u32 *at = counts + w * SORT_BINS + column;
      const u32 count = *at;
      *at = start;
      start += count;
    }
}

#endif
