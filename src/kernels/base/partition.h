/* partition.h - the elements of a tile grouped by small numbers, in shared memory
 *
 * Result   warp_rank        the place of each element among those of its group, in any order
 *          block_offsets    where each group begins, a multiple of HD_GROUP_PAD, of which some places at
 *                           its end may stay unused
 *          block_sum_before sums over the threads of a block
 * Defines  HEDDLE_THREADS of a block
 * Launch   groups are at most HEDDLE_THREADS
 * Memory   u32 counts[groups], zero before the first warp_rank
 * Method   One shared counter a group gives out places, in the order in which additions come: that is
 *          no order, and serves where none shows. Lanes of one group wait for each other there; where all
 *          elements of a warp have one, a lane adds for all.
 * Source   Merrill and Grimshaw 2011 (radix sort: a tile is grouped before it is written) */
#ifndef HEDDLE_KERNELS_BASE_PARTITION_H
#define HEDDLE_KERNELS_BASE_PARTITION_H

#include "device.h"

#define HD_GROUP_PAD 8u

/* All lanes of the warp arrive, with `count` elements each, a constant. */
HD_DEVICE void warp_rank(u32 *counts, const u32 *group, u32 *rank, int count) {
  const u32 lane = threadIdx.x % 32, first = __shfl_sync(HD_ALL, group[0], 0);
  bool same = true;
#pragma unroll
  for (int j = 0; j < count; j++) same = same && group[j] == first;
  if (__all_sync(HD_ALL, same)) {
    u32 from = lane ? 0 : atomicAdd(counts + first, 32u * (u32)count);
    from = __shfl_sync(HD_ALL, from, 0) + lane * (u32)count;
#pragma unroll
    for (int j = 0; j < count; j++) rank[j] = from + (u32)j;
    return;
  }
#pragma unroll
  for (int j = 0; j < count; j++) rank[j] = atomicAdd(counts + group[j], 1u);
}

/* All threads arrive: the sum of the values of all threads before this one, and of all of them.
 * warps: HEDDLE_THREADS / 32 words of shared memory, which may be used again after a barrier. */
HD_DEVICE u32 block_sum_before(u32 value, u32 *warps, u32 *all) {
  const u32 lane = threadIdx.x % 32;
  u32 sum = value;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    const u32 other = __shfl_up_sync(HD_ALL, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warps[threadIdx.x / 32] = sum;
  __syncthreads(); /* warps' sums are there */
  u32 before = 0, total = 0;
#pragma unroll
  for (u32 w = 0; w < HEDDLE_THREADS / 32; w++) {
    if (w == threadIdx.x / 32) before = total;
    total += warps[w];
  }
  *all = total;
  return before + sum - value;
}

/* All threads arrive, after a barrier behind the last warp_rank: thread g has the number of group g,
 * and gets where the group begins. *places: of all groups. */
HD_DEVICE u32 block_offsets(u32 members, u32 *warps, u32 *places) {
  const u32 room = (members + HD_GROUP_PAD - 1) / HD_GROUP_PAD * HD_GROUP_PAD;
  return block_sum_before(room, warps, places);
}

#endif
