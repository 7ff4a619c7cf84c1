/* row_variance.h - count, mean and squares of one full chunk of a row by one warp (rule 9)
 *
 * Result   warp_chunk_total(from, at, index)  as wide.h, which has the same of all moments
 * Defines  as wide.h
 * Who      all lanes of the warp arrive, with equal arguments; all lanes hold results
 * Method   A lane holds every 32nd element: those of even number are of one column, those of odd number of
 *          another, 32 columns on, so that the first halves meet in the lane. Elements become f64 twice, as
 *          in order/device/chunk_variance.h.
 * Source   docs/order.md, rules 2 and 9 */
#ifndef HEDDLE_KERNELS_ROWS_ROW_VARIANCE_H
#define HEDDLE_KERNELS_ROWS_ROW_VARIANCE_H

#include "order/device/columns.h"

#define ROW_CHUNK TOTAL_CHUNK
#define ROW_HELD (ROW_CHUNK / 32)

HD_DEVICE f64 warp_halves_f64(const f64 *column) {
  f64 t = column[0] + column[1];
#pragma unroll
  for (int h = 16; h; h >>= 1) t = t + __shfl_xor_sync(HD_ALL, t, h);
  return t;
}

/* The sum of the values times `by`, a power of two. */
HD_DEVICE f64 warp_chunk_sum(const element *x, f64 by) {
  f64 sum[2];
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const f64 value = to_f64(x[k]), e = HEDDLE_NAN && value != value ? -0.0 : value * by;
    sum[k % 2] = k < 2 ? e : sum[k % 2] + e;
  }
  return warp_halves_f64(sum);
}

/* Whether every value that counts is finite, and how many are left out. */
HD_DEVICE bool warp_chunk_finite(const element *x) {
  bool finite = true;
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const f64 e = to_f64(x[k]);
    finite = finite && (e - e == 0 || (HEDDLE_NAN && e != e));
  }
  return __all_sync(HD_ALL, finite) != 0;
}
HD_DEVICE u32 warp_chunk_nan(const element *x) {
  u32 nan = 0;
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) nan += to_f64(x[k]) != to_f64(x[k]);
  return warp_sum_u32(nan);
}

HD_DEVICE total warp_chunk_total(const struct row_source *from, i64 at, u64 index) {
  element x[ROW_HELD];
  f64 two[2];
  total t = total_identity();
  (void)index;
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++)
    x[k] = row_load(from->x + at + (i64)(32 * k + warp_lane()) * ROW_STEP(from));
  const f64 sum = warp_chunk_sum(x, 1.0);
  t.n = 1024.0 - (HEDDLE_NAN ? (f64)warp_chunk_nan(x) : 0.0);
  if (t.n == 0) return t;
  t.mean = sum / t.n;
  if (HEDDLE_TYPE == HD_F64 && sum - sum != 0 && warp_chunk_finite(x))
    t.mean = hd_moments_scaled_mean(warp_chunk_sum(x, 0.00048828125), t.n); /* 2^-11 */
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const f64 e = to_f64(x[k]), d = HEDDLE_NAN && e != e ? 0.0 : e - t.mean, d2 = d * d;
    two[k % 2] = k < 2 ? d2 : two[k % 2] + d2;
  }
  t.m2 = warp_halves_f64(two);
  return t;
}

#endif
