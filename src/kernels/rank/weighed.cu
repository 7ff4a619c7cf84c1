/* weighed.cu - elements that have been sorted with their weights: how many are numbers, and quantiles out of them
 *
 * Result   heddle_rank_numbers  a.state->numbers, and the fault of a weight that is none
 *          heddle_rank_weighed  a.out[j], by a.at[j] of weigh.cu; NaN where that is nowhere
 * Defines  kernels/sort/key.h's; HEDDLE_QUANTILES 1, with HEDDLE_TYPE of element.h; HEDDLE_THREADS
 * Launch   heddle_rank_numbers: one block; heddle_rank_weighed: any number of blocks
 * Method   NaN are the last elements: halving finds the first of them. */
#include "quantile.h"

HD_DEVICE u64 count_numbers(const struct rank_weighed_args *a) {
  const key_bits *sorted = (const key_bits *)a->sorted;
  u64 low = IS_FLOAT ? 0 : a->count, high = a->count;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if ((sorted[middle] & ~KEY_SIGN) > a->infinity)
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
  state->numbers = count_numbers(&a);
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
