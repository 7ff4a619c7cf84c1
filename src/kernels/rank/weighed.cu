/* weighed.cu - elements that have been sorted with their weights: how many are numbers, and quantiles out of them
 *
 * Result   heddle_rank_numbers  a.state->numbers, and the fault of a weight that is none
 *          heddle_rank_weighed  a.out[j], by a.at[j] of weigh.cu; NaN where that is nowhere
 *          heddle_rank_numbers_rows, heddle_rank_weighed_rows  the same of every row
 * Defines  kernels/sort/key.h's; HEDDLE_QUANTILES 1, with HEDDLE_TYPE of element.h; HEDDLE_THREADS
 * Launch   heddle_rank_numbers: one block; the others: any number of blocks
 * Method   NaN are the last elements: halving finds the first of them. */
#include "quantile.h"

HD_DEVICE u64 count_numbers(const key_bits *sorted, u64 count, u64 infinity) {
  u64 low = IS_FLOAT ? 0 : count, high = count;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if ((sorted[middle] & ~KEY_SIGN) > infinity)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_numbers(const __grid_constant__ struct rank_weighed_args a) {
  struct rank_weigh_state *state = (struct rank_weigh_state *)a.state;
  if (threadIdx.x) return;
  state->numbers = count_numbers((const key_bits *)a.sorted, a.count, a.infinity);
  if (state->bad) hd_fault((u64 *)a.fault, HD_FAULT_NO_WEIGHT, ~state->bad);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_weighed(const __grid_constant__ struct rank_weighed_args a) {
  const u64 step = (u64)gridDim.x * HEDDLE_THREADS;
  for (u64 j = (u64)blockIdx.x * HEDDLE_THREADS + threadIdx.x; j < a.shares; j += step) {
    const u64 at = ((const u64 *)a.at)[j];
    f64 value = hd_f64_of_bits(HD_NAN_F64);
    if (at < a.count) value = to_f64(element_of(((const key_bits *)a.sorted)[at]));
    ((f64 *)a.out)[j] = value;
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_numbers_rows(const __grid_constant__ struct rank_weigh_rows_args a) {
  const u64 *offsets = (const u64 *)a.offsets;
  const u64 step = (u64)gridDim.x * HEDDLE_THREADS;
  const u64 bad = ((const struct rank_weigh_state *)a.state)->bad;
  if (bad && !blockIdx.x && !threadIdx.x) hd_fault((u64 *)a.fault, HD_FAULT_NO_WEIGHT, ~bad);
  for (u64 r = (u64)blockIdx.x * HEDDLE_THREADS + threadIdx.x; r < a.rows; r += step) {
    const u64 start = offsets ? offsets[r] - a.first : r * a.length;
    const u64 length = offsets ? offsets[r + 1] - offsets[r] : a.length;
    ((u64 *)a.numbers)[r] = count_numbers((const key_bits *)a.sorted + start, length, a.infinity);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_weighed_rows(const __grid_constant__ struct rank_weigh_rows_args a) {
  const u64 *offsets = (const u64 *)a.offsets;
  const u64 all = a.rows * a.shares, step = (u64)gridDim.x * HEDDLE_THREADS;
  for (u64 i = (u64)blockIdx.x * HEDDLE_THREADS + threadIdx.x; i < all; i += step) {
    const u64 r = i / a.shares;
    const u64 length = offsets ? offsets[r + 1] - offsets[r] : a.length;
    f64 value = hd_f64_of_bits(HD_NAN_F64);
    if (length > RANK_ROW) continue; /* no warp has weighed it */
    const u64 at = ((const u64 *)a.at)[i];
    if (at != HD_U64_MAX) value = to_f64(element_of(((const key_bits *)a.sorted)[at]));
    ((f64 *)a.out)[r * a.each + a.done + i % a.shares] = value;
  }
}
