/* least.cu - of what a sieve has kept the first k in order, with their positions
 *
 * Result   k elements and their positions: by key, and of equal keys by position
 * Defines  state.h's, of keys of 4 bytes; HEDDLE_POSITION_BYTES 4 or 8
 * Launch   one block; k is at most RANK_LEAST
 * Order    stable: keys with positions behind them are all different
 * Method   Passes over what is kept, which lies in L2, narrow down where the k-th is, until those up to there have room in
 *          shared memory. A bitonic network sorts them. Elements are read from the array, since equal keys may have
 *          different ones.
 * Source   Batcher 1968; Alabi et al. 2012 (fast k-selection on GPUs) */
#include "state.h"

#if HEDDLE_POSITION_BYTES == 8
typedef u64 least_position;
#else
typedef u32 least_position;
#endif

enum { AT_ONCE = 8 }; /* loads of a thread on their way */

struct least {
  u64 item[RANK_LEAST];
  u64 sums[32], low[32], high[32];
  u64 from, upto, below; /* the k-th is one of these, behind `below` others */
  u32 bins[RANK_BINS];
  u32 found, taken;
};

/* What of `count` kept ones is number i of a thread's turn that begins at `at`; all ones: none. */
HD_DEVICE u64 kept_at(const u64 *kept, u64 count, u64 at, u32 i) {
  const u64 mine = at + (u64)i * HEDDLE_THREADS + threadIdx.x;
  return mine < count ? kept[mine] : HD_U64_MAX;
}

HD_DEVICE void warp_range(u64 x, u64 y, u64 *low, u64 *high) {
#pragma unroll
  for (u32 d = 16; d; d /= 2) {
    const u64 other = __shfl_xor_sync(HD_ALL, x, d), more = __shfl_xor_sync(HD_ALL, y, d);
    x = other < x ? other : x, y = more > y ? more : y;
  }
  *low = x, *high = y;
}

/* The least and the greatest. All threads arrive. */
HD_DEVICE void block_range(struct least *b, const u64 *kept, u64 count) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  u64 low = HD_U64_MAX, high = 0;
  for (u64 at = 0; at < count; at += AT_ONCE * HEDDLE_THREADS) {
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++) {
      const u64 x = kept_at(kept, count, at, i);
      low = x < low ? x : low;
      high = x != HD_U64_MAX && x > high ? x : high;
    }
  }
  warp_range(low, high, &low, &high);
  if (lane == 0) b->low[warp] = low, b->high[warp] = high;
  __syncthreads(); /* warps' ends are there */
  if (warp) return;
  const bool is = lane < HEDDLE_THREADS / 32;
  warp_range(is ? b->low[lane] : HD_U64_MAX, is ? b->high[lane] : 0, &low, &high);
  if (lane == 0) b->from = low, b->upto = high, b->below = 0;
}

/* One pass: fewer are left to look among. All threads arrive. */
HD_DEVICE void block_pass(struct least *b, const u64 *kept, u64 count, u64 k) {
  const u64 from = b->from, upto = b->upto, width = upto - from;
  const u32 bits = width ? hd_top_bit(width) + 1 : 0;
  const u32 shift = bits > RANK_BIN_BITS ? bits - RANK_BIN_BITS : 0;
  u64 mine[BINS_EACH], before, found;
  u32 bin;
  for (u32 i = threadIdx.x; i < RANK_BINS; i += HEDDLE_THREADS) b->bins[i] = 0;
  __syncthreads(); /* bins are zero */
  for (u64 at = 0; at < count; at += AT_ONCE * HEDDLE_THREADS) {
    u64 x[AT_ONCE];
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++) x[i] = kept_at(kept, count, at, i);
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++)
      if (x[i] != HD_U64_MAX && x[i] - from <= width)
        atomicAdd(&b->bins[(x[i] - from) >> shift], 1u);
  }
  __syncthreads(); /* all are counted */
  for (u32 i = 0; i < BINS_EACH; i++) mine[i] = b->bins[threadIdx.x * BINS_EACH + i];
  if (block_find_bin(mine, k - 1 - b->below, b->sums, &bin, &before, &found)) {
    const u64 first = from + ((u64)bin << shift), end = first + (((u64)1 << shift) - 1);
    b->from = first, b->upto = end < upto ? end : upto;
    b->below += before, b->found = (u32)found;
  }
  __syncthreads(); /* it is narrowed */
}

/* Those up to b->upto, to shared memory in any order. */
HD_DEVICE void thread_collect(struct least *b, const u64 *kept, u64 count) {
  const u64 upto = b->upto;
  for (u64 at = 0; at < count; at += AT_ONCE * HEDDLE_THREADS) {
    u64 x[AT_ONCE];
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++) x[i] = kept_at(kept, count, at, i);
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++)
      if (x[i] != HD_U64_MAX && x[i] <= upto) b->item[atomicAdd(&b->taken, 1u)] = x[i];
  }
}

/* Pairs of a step, of which those beyond the last item stay apart: the lower one is to be the less. */
HD_DEVICE void block_step(struct least *b, u32 count, u32 apart, bool mirrored) {
  for (u32 i = threadIdx.x; 2 * (i & ~(apart - 1)) < count; i += HEDDLE_THREADS) {
    const u32 off = i & (apart - 1), first = 2 * (i - off), lower = first + off;
    const u32 upper = mirrored ? first + 2 * apart - 1 - off : lower + apart;
    if (upper >= count) continue;
    const u64 x = b->item[lower], y = b->item[upper];
    if (x > y) b->item[lower] = y, b->item[upper] = x;
  }
  __syncthreads(); /* pairs are in order */
}

/* Runs of twice as many again and again: of two the second one backwards is one that rises and falls. All threads
 * arrive. */
HD_DEVICE void block_sort(struct least *b, u32 count) {
  for (u32 run = 1; run < count; run *= 2) {
    block_step(b, count, run, true);
    for (u32 apart = run / 2; apart; apart /= 2) block_step(b, count, apart, false);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_least(const __grid_constant__ struct rank_sieve_args a) {
  __shared__ struct least b;
  const struct rank_state *state = (const struct rank_state *)a.search.state;
  const u64 *kept = (const u64 *)a.search.kept, count = state->missed ? a.k : state->sieved;
  const key_bits *in = (const key_bits *)a.search.in;
  if (threadIdx.x == 0) b.taken = 0;
  block_range(&b, kept, count);
  __syncthreads(); /* the range is known */
  for (u64 upto = count; upto > RANK_LEAST; upto = b.below + b.found)
    block_pass(&b, kept, count, a.k);
  thread_collect(&b, kept, count);
  __syncthreads(); /* they are here */
  block_sort(&b, b.taken);
  for (u32 i = threadIdx.x; i < a.k; i += HEDDLE_THREADS) {
    const u32 at = (u32)b.item[i];
    if (a.search.out) ((key_bits *)a.search.out)[i] = in[at];
    if (a.index) ((least_position *)a.index)[i] = at;
  }
}
