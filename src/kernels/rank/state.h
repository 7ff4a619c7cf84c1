/* state.h - where a search stands: intervals, and finders in them
 *
 * Result   thread_narrow     a finder looks among keys low to high alone
 *          leader_of         of finders that look for the same keys, the first: it counts for all
 *          bits_between      of the numbers from 0 to high - low
 *          block_sum_bins    RANK_BINS counters of shared memory become sums over those before
 * Defines  kernels/sort/key.h's, HEDDLE_KEY_BYTES 4 or 8; HEDDLE_THREADS, which divides RANK_BINS */
#ifndef HEDDLE_KERNELS_RANK_STATE_H
#define HEDDLE_KERNELS_RANK_STATE_H

#include "quantile.h"

#include "kernels/base/partition.h"

HD_DEVICE u32 bits_between(sort_key low, sort_key high) {
  return low == high ? 0 : hd_top_bit((u64)(high - low)) + 1;
}
/* What keys are shifted by, less `low`, so that RANK_BINS tell them apart as far as can be. */
HD_DEVICE u32 shift_between(sort_key low, sort_key high) {
  const u32 bits = bits_between(low, high);
  return bits > RANK_BIN_BITS ? bits - RANK_BIN_BITS : 0;
}

/* `count` keys, or HD_U64_MAX where nobody knows. */
HD_DEVICE void thread_narrow(struct rank_finder *f, u64 low, u64 high, u64 below, u64 count) {
  f->low = low, f->high = high;
  f->below = below;
  f->count = count;
  f->done = low == high;
}

HD_DEVICE bool is_open(const struct rank_finder *f, u32 source) {
  return !f->done && f->source == source;
}

HD_DEVICE u32 leader_of(const struct rank_state *state, u32 f) {
  const struct rank_finder *mine = &state->finder[f];
  u32 first = 0;
  for (; first < f; first++) {
    const struct rank_finder *other = &state->finder[first];
    if (is_open(other, mine->source) && other->slot == mine->slot && other->low == mine->low &&
        other->high == mine->high)
      break;
  }
  return first;
}

/* By one thread: open finders, in all and among what is kept. */
HD_DEVICE void thread_count_open(struct rank_state *state, u32 finders) {
  u32 open = 0, kept = 0;
  for (u32 f = 0; f < finders; f++) {
    open += !state->finder[f].done;
    kept += is_open(&state->finder[f], RANK_KEPT);
  }
  state->open = open;
  state->kept = kept;
}

/* All threads arrive: whether this block is the launch's last one to end, which sees what all others have
 * written. The count is zero again then. */
HD_DEVICE bool block_is_last(struct rank_state *state, u32 *shared) {
  __threadfence();
  __syncthreads(); /* all has been written */
  if (threadIdx.x == 0) {
    *shared = atomicAdd(&state->blocks, 1u) + 1 == gridDim.x;
    if (*shared) publish32(&state->blocks, 0);
  }
  __syncthreads(); /* it is known */
  __threadfence();
  return *shared;
}

/* All threads arrive: of the bins' counts, which thread t has of bins t * EACH on, the bin that `rank` falls
 * into, and how many are before it and in it, by the one thread that has it: true. */
#define BINS_EACH (RANK_BINS / HEDDLE_THREADS)
HD_DEVICE bool block_find_bin(const u64 *mine, u64 rank, u64 *sums, u32 *bin, u64 *before,
                              u64 *count) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  u64 all = 0;
  for (u32 i = 0; i < BINS_EACH; i++) all += mine[i];
  u64 upto = all;
  for (u32 d = 1; d < 32; d *= 2) {
    const u64 other = __shfl_up_sync(HD_ALL, upto, d);
    if (lane >= d) upto += other;
  }
  if (lane == 31) sums[warp] = upto;
  __syncthreads(); /* warps' sums are there */
  u64 at = upto - all;
  for (u32 w = 0; w < warp; w++) at += sums[w];
  __syncthreads(); /* and may be written again */
  if (rank < at || rank >= at + all) return false;
  u32 i = 0;
  while (rank >= at + mine[i]) at += mine[i++];
  *bin = threadIdx.x * BINS_EACH + i;
  *before = at;
  *count = mine[i];
  return true;
}

#endif
