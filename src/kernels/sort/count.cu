/* count.cu - how often each digit of the keys has each value, and which steps sort them
 *
 * Result   a.counts, and the steps of a.plan
 * Defines  key.h's and tiles.h's; HEDDLE_DIGITS of a key
 * Launch   any number of blocks, which share the tiles evenly
 * Memory   dynamic shared memory: SORT_BINS words a digit. a.plan and a.counts are zero before
 * Order    none shows: integers
 * Method   One read for all digits, by one counter a digit and value in shared memory. Bits that all
 *          keys have alike make digits by which nothing needs to be sorted: the last block to end lays
 *          the steps out without these, so that the last one of them writes the result.
 * Source   Adinets and Merrill 2022 (onesweep) */
#include "plan.h"
#include "tiles.h"

extern __shared__ u32 counters[];

#if HEDDLE_WIDE
#define COUNTS_ADD(to, n) memory_add64(to, n)
#else
#define COUNTS_ADD(to, n) memory_add32(to, n)
#endif

struct key_set {
  sort_key ones, zeros;
};

/* All threads arrive; they are together again behind. */
HD_DEVICE void block_flush_counts(const struct sort_args *a, u32 row) {
  __syncthreads(); /* all are counted */
  sort_count *to = tile_counts(a, row, 0);
  for (u32 i = threadIdx.x; i < a->digits * SORT_BINS; i += HEDDLE_THREADS) {
    const u32 count = counters[i];
    if (!count) continue;
    COUNTS_ADD(to + i, count);
    counters[i] = 0;
  }
  __syncthreads(); /* counters are zero */
}

HD_DEVICE void count_key(const struct sort_args *a, sort_key x, u32 last_mask) {
#pragma unroll
  for (u32 d = 0; d < HEDDLE_DIGITS; d++) {
    const u32 mask = d + 1 < HEDDLE_DIGITS ? 255u : last_mask;
    atomicAdd(&counters[d * SORT_BINS + digit_of(x, a->bit_begin + 8 * d, mask)], 1u);
  }
}

HD_DEVICE void thread_count_tile(const struct sort_args *a, const struct sort_tile *tile,
                                 bool whole, struct key_set *set) {
  const key_bits *in =
      (const key_bits *)a->keys[SORT_IN] + tile->start + tile->before + threadIdx.x;
  const u32 last_mask = digit_mask(a->bit_begin + 8 * (HEDDLE_DIGITS - 1), a->bit_end);
  key_bits raw[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    if (whole || threadIdx.x + i * HEDDLE_THREADS < tile->count) raw[i] = in[i * HEDDLE_THREADS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    if (!whole && threadIdx.x + i * HEDDLE_THREADS >= tile->count) continue;
    const sort_key x = key_of(&a->map, raw[i]);
    set->ones |= x;
    set->zeros |= ~x;
    count_key(a, x, last_mask);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_sort_count(const __grid_constant__ struct sort_args a) {
  __shared__ u64 ones, zeros;
  struct sort_plan *plan = (struct sort_plan *)a.plan;
  const u32 from = (u32)((u64)a.tiles * blockIdx.x / gridDim.x);
  const u32 to = (u32)((u64)a.tiles * (blockIdx.x + 1) / gridDim.x);
  struct key_set set = {0, 0};
  if (a.unsorted && !*(const u64 *)a.unsorted) { /* no digit makes a difference */
    if (blockIdx.x == 0 && threadIdx.x == 0) plan_steps(&a, 0);
    return;
  }
  for (u32 i = threadIdx.x; i < a.digits * SORT_BINS; i += HEDDLE_THREADS) counters[i] = 0;
  if (threadIdx.x == 0) ones = zeros = 0;
  __syncthreads(); /* counters are zero */
  u32 row = 0;
  for (u32 t = from; t < to; t++) {
    const struct sort_tile tile = tile_find(&a, t);
    if (t > from && tile.row != row) block_flush_counts(&a, row);
    row = tile.row;
    if (tile.count == SORT_TILE)
      thread_count_tile(&a, &tile, true, &set);
    else
      thread_count_tile(&a, &tile, false, &set);
  }
  atomicOr(&ones, (u64)set.ones);
  atomicOr(&zeros, (u64)set.zeros);
  if (from < to) block_flush_counts(&a, row);
  __syncthreads(); /* bits are gathered */
  if (threadIdx.x) return;
  atomicOr(&plan->ones, ones);
  atomicOr(&plan->zeros, zeros);
  __threadfence();
  if (atomicAdd(&plan->blocks, 1u) + 1 < gridDim.x) return;
  __threadfence();
  plan_steps(&a, peek64(&plan->ones) & peek64(&plan->zeros));
}
