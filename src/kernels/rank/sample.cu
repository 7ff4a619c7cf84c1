/* sample.cu - keys of elements at fixed positions, and the intervals around wanted ranks that they give
 *
 * Result   heddle_rank_gather  a.samples
 *          heddle_rank_bounds  low, middle and high of every slot
 *          heddle_rank_bound   both, of slot 0's high alone: its last block finds it
 * Defines  state.h's; HEDDLE_SAMPLED: samples of a thread of heddle_rank_bounds, which has those of 4 bytes in registers
 * Launch   heddle_rank_gather, heddle_rank_bound: a thread a sample; heddle_rank_bounds: three blocks a slot, one a key
 * Order    none shows: results are exact whatever the sample
 * Method   One element of each of as many parts of the array. A share s of n elements has about s * S of S samples
 *          before it, give or take sqrt(s * (1 - s) * S); an interval has DEVIATIONS of these to both sides, and
 *          some more for shares near the ends. A block finds the sample of a rank by counting digits.
 * Source   Floyd and Rivest 1975 (expected time bounds for selection) */
#include "state.h"

enum { DEVIATIONS = 5, MORE = 4, MORE_OF_ONE = 2 };

HD_DEVICE u32 scattered(u32 i) {
  const u64 x = (i + 1) * 0x9e3779b97f4a7c15ull;
  return (u32)(x >> 32 ^ x >> 48);
}

HD_DEVICE void thread_gather(const struct rank_args *a) {
  const u32 i = blockIdx.x * HEDDLE_THREADS + threadIdx.x;
  if (i >= a->sampled) return;
  const u64 each = a->count / a->sampled, at = i * each + scattered(i) % each;
  ((sort_key *)a->samples)[i] = key_of(&a->map, ((const key_bits *)a->in)[at]);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_gather(const __grid_constant__ struct rank_args a) {
  thread_gather(&a);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Samples of a thread: kept, or, where registers have no room, where they are. */
#if HEDDLE_KEY_BYTES == 8
#define SAMPLE_BATCH 8
struct samples {
  const sort_key *at;
};
HD_DEVICE void samples_load(struct samples *s, const sort_key *from) { s->at = from; }
HD_DEVICE sort_key sample_of(const struct samples *s, u32 i) { return s->at[i * HEDDLE_THREADS]; }
#else
#define SAMPLE_BATCH HEDDLE_SAMPLED
struct samples {
  sort_key key[HEDDLE_SAMPLED];
};
HD_DEVICE void samples_load(struct samples *s, const sort_key *from) {
#pragma unroll
  for (u32 i = 0; i < HEDDLE_SAMPLED; i++) s->key[i] = from[i * HEDDLE_THREADS];
}
HD_DEVICE sort_key sample_of(const struct samples *s, u32 i) { return s->key[i]; }
#endif

struct bounds {
  u32 bins[RANK_BINS];
  u64 sums[32];
  u64 low, rank;
  u32 numbers;
};

/* The sample's rank of a slot's key: 0 low, 1 middle, 2 high; below 0 or beyond the last: none is there. */
HD_DEVICE i64 rank_of(f64 share, u32 which, u32 numbers, u32 least) {
  const f64 at = share * numbers;
  const f64 more = DEVIATIONS * hd_sqrt(at * (1 - share)) + least;
  if (which == 0) return (i64)(at - more) - 1;
  if (which == 2) return (i64)(at + more) + 1;
  return at < numbers ? (i64)at : (i64)numbers - 1;
}

/* All threads arrive: samples that are not NaN. */
HD_DEVICE u32 block_count_numbers(const struct rank_args *a, struct bounds *b,
                                  const struct samples *samples) {
  if (threadIdx.x == 0) b->numbers = 0;
  __syncthreads(); /* nothing is counted */
  u32 numbers = 0;
#pragma unroll SAMPLE_BATCH
  for (u32 i = 0; i < HEDDLE_SAMPLED; i++) numbers += sample_of(samples, i) <= (sort_key)a->most;
  atomicAdd(&b->numbers, numbers);
  __syncthreads(); /* all are counted */
  return b->numbers;
}

/* All threads arrive: the key of the samples' rank, by a digit of RANK_BIN_BITS after the other. */
HD_DEVICE sort_key block_find_sample(struct bounds *b, const struct samples *samples, u64 rank) {
  sort_key low = 0, high = KEY_ALL;
  while (low < high) {
    const u32 shift = shift_between(low, high);
    u64 mine[BINS_EACH], before, count;
    u32 bin;
    for (u32 i = threadIdx.x; i < RANK_BINS; i += HEDDLE_THREADS) b->bins[i] = 0;
    __syncthreads(); /* bins are zero */
#pragma unroll SAMPLE_BATCH
    for (u32 i = 0; i < HEDDLE_SAMPLED; i++) {
      const sort_key x = sample_of(samples, i) - low;
      if (x <= high - low) atomicAdd(&b->bins[x >> shift], 1u);
    }
    __syncthreads(); /* all are counted */
    for (u32 i = 0; i < BINS_EACH; i++) mine[i] = b->bins[threadIdx.x * BINS_EACH + i];
    if (block_find_bin(mine, rank, b->sums, &bin, &before, &count)) {
      b->low = (u64)(low + ((sort_key)bin << shift));
      b->rank = rank - before;
    }
    __syncthreads(); /* the bin is known */
    const sort_key first = (sort_key)b->low, last = first + (((sort_key)1 << shift) - 1);
    rank = b->rank;
    if (last < high) high = last;
    low = first;
  }
  return low;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_bounds(const __grid_constant__ struct rank_args a) {
  __shared__ struct bounds b;
  const u32 s = blockIdx.x / 3, which = blockIdx.x % 3;
  struct rank_state *state = (struct rank_state *)a.state;
  struct rank_slot *slot = &state->slot[s];
  struct samples samples;
  samples_load(&samples, (const sort_key *)a.samples + threadIdx.x);
  const u32 numbers = block_count_numbers(&a, &b, &samples);
  const i64 rank = rank_of(a.share[s], which, numbers, MORE);
  u64 key;
  if (rank < 0)
    key = 0;
  else if (rank >= (i64)numbers)
    key = a.most;
  else
    key = (u64)block_find_sample(&b, &samples, (u64)rank);
  if (threadIdx.x) return;
  if (which == 0) slot->low = key;
  if (which == 1) slot->middle = key;
  if (which == 2) slot->high = key;
}

/* ---- one bound near the lowest --------------------------------------------------------------- */

enum { LOW_RANKS = 24 }; /* that are quicker found one by one than by digits */

/* The least of a thread's samples above `floor`, or of all; how many are like `like`. */
HD_DEVICE sort_key thread_least(const struct samples *samples, bool all, sort_key floor) {
  sort_key least = KEY_ALL;
#pragma unroll SAMPLE_BATCH
  for (u32 i = 0; i < HEDDLE_SAMPLED; i++) {
    const sort_key x = sample_of(samples, i);
    if ((all || x > floor) && x < least) least = x;
  }
  return least;
}
HD_DEVICE u32 thread_like(const struct samples *samples, sort_key like) {
  u32 count = 0;
#pragma unroll SAMPLE_BATCH
  for (u32 i = 0; i < HEDDLE_SAMPLED; i++) count += sample_of(samples, i) == like;
  return count;
}

HD_DEVICE sort_key warp_least(sort_key x) {
#pragma unroll
  for (u32 d = 16; d; d /= 2) {
    const sort_key other = __shfl_xor_sync(HD_ALL, x, d);
    x = other < x ? other : x;
  }
  return x;
}

/* All threads arrive: the key of a low rank. */
HD_DEVICE sort_key block_find_low(struct bounds *b, const struct samples *samples, u32 rank) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sort_key mine = thread_least(samples, true, 0);
  if (threadIdx.x == 0) b->numbers = 0;
  for (;;) {
    const sort_key own = warp_least(mine);
    if (lane == 0) b->sums[warp] = own;
    __syncthreads(); /* warps' least ones are there */
    const sort_key least =
        warp_least(lane < HEDDLE_THREADS / 32 ? (sort_key)b->sums[lane] : KEY_ALL);
    if (mine == least) {
      atomicAdd(&b->numbers, thread_like(samples, least));
      mine = thread_least(samples, false, least);
    }
    __syncthreads(); /* those up to it are counted */
    if (b->numbers > rank || least == KEY_ALL) return least;
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_bound(const __grid_constant__ struct rank_args a) {
  __shared__ struct bounds b;
  __shared__ u32 last;
  struct rank_state *state = (struct rank_state *)a.state;
  struct samples samples;
  thread_gather(&a);
  if (!block_is_last(state, &last)) return;
  const i64 rank = rank_of(a.share[0], 2, a.sampled, MORE_OF_ONE);
  sort_key key = KEY_ALL;
  samples_load(&samples, (const sort_key *)a.samples + threadIdx.x);
  if (rank < LOW_RANKS)
    key = block_find_low(&b, &samples, (u32)rank);
  else if (rank < (i64)a.sampled)
    key = block_find_sample(&b, &samples, (u64)rank);
  if (threadIdx.x == 0) state->slot[0].high = key;
}
