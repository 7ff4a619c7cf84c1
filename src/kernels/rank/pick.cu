/* pick.cu - results of sorted rows: elements by their ranks, or quantiles
 *
 * Result   out[r * each + at + j] of row r: the element of wanted.rank[j], or the quantile wanted.share[j]
 * Defines  kernels/sort/key.h's; HEDDLE_QUANTILES 0 or 1, with HEDDLE_TYPE of element.h; HEDDLE_THREADS
 * Launch   any number of blocks
 * Method   A thread a result. NaN are a sorted row's last elements: halving finds the first of them. */
#include "quantile.h"

HD_DEVICE void row_of(const struct rank_pick_args *a, u64 r, u64 *start, u64 *length) {
  const u64 *offsets = (const u64 *)a->offsets;
  *start = offsets ? offsets[r] - a->first : r * a->length;
  *length = offsets ? offsets[r + 1] - offsets[r] : a->length;
}

#if HEDDLE_QUANTILES
/* Numbers of a sorted row: its elements but for NaN. */
HD_DEVICE u64 count_numbers(const key_bits *row, u64 length, u64 infinity) {
  u64 low = 0, high = length;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if ((row[middle] & ~KEY_SIGN) > infinity)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

HD_DEVICE void thread_pick(const struct rank_pick_args *a, u64 r, u32 j) {
  u64 start, length;
  row_of(a, r, &start, &length);
  const key_bits *row = (const key_bits *)a->sorted + start;
  const u64 numbers = IS_FLOAT ? count_numbers(row, length, a->map.infinity) : length;
  struct hd_quantile_place place;
  f64 value = hd_f64_of_bits(HD_NAN_F64);
  if (a->fault && !numbers) hd_fault((u64 *)a->fault, HD_FAULT_ALL_NAN, 255);
  if (place_of(a->method, a->skip, length, length - numbers, a->wanted.share[j], &place))
    value = value_of(a->method, &place, row[place.lower], row[place.upper]);
  ((f64 *)a->out)[r * a->each + a->at + j] = value;
}
#else
HD_DEVICE void thread_pick(const struct rank_pick_args *a, u64 r, u32 j) {
  u64 start, length;
  row_of(a, r, &start, &length);
  ((key_bits *)a->out)[r * a->each + a->at + j] =
      ((const key_bits *)a->sorted)[start + a->wanted.rank[j]];
}
#endif

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_pick(const __grid_constant__ struct rank_pick_args a) {
  const u64 all = a.rows * a.count, step = (u64)gridDim.x * HEDDLE_THREADS;
  for (u64 i = (u64)blockIdx.x * HEDDLE_THREADS + threadIdx.x; i < all; i += step)
    thread_pick(&a, i / a.count, (u32)(i % a.count));
}
