/* short_rows.cu - an exact sum a row, of rows of few elements, a lane a row
 *
 * Result   heddle_exact_short_rows: out[r] of every row
 * Defines  as sum.h; products of f64 and what is divided or begins with init are rows.cu's
 * Launch   256 threads, a thread a row; rows of at most 64 elements
 * Method   A lane looks for the range of its elements, then sums them in two windows, as
 *          order/exact/sum.h rounds them; a row that these do not hold is summed by the warp, bit by bit.
 * Order    none: integers
 * Source   docs/order.md, "Why exact sums are exact" */
#define HEDDLE_FORM 1 /* EXACT_BY_WARP */
#include "rows.h"

#define EXACT_WARPS 8
#define EXACT_SHORT_BITS 47 /* of a window of 64 elements */

/* An element, or what it counts as. */
HD_DEVICE f64 thread_value(const struct exact_rows_args *a, const struct row *row, u64 i) {
  const i64 at = row->start + (i64)i * a->step;
  f64 v = to_f64(((const element *)a->x)[at]);
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_SQUARES) v *= v;
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS) v *= to_f64(((const element *)a->y)[at]);
  return HEDDLE_NAN && v != v ? 0 : v;
}

/* The row's sum in two parts; false: they do not hold it. */
HD_DEVICE bool thread_windows(const struct exact_rows_args *a, const struct row *row, f64 *high,
                              f64 *low) {
  u32 most = 0, least = ~0u;
  for (u64 i = 0; i < row->length; i++) {
    const u64 magnitude = hd_bits_f64(thread_value(a, row, i)) & (u64)HD_I64_MAX;
    most = max(most, (u32)(magnitude >> 32)), least = min(least, (u32)((magnitude - 1) >> 32));
  }
  const i32 top = (i32)(most >> 20) - 1022, last = (i32)(least >> 20) - 1023;
  const i32 unit = max(last - exact_precision() + 1, exact_lowest());
  const i32 cut = max(top - EXACT_SHORT_BITS, -1074);
  *high = *low = 0;
  if (least == ~0u) return true;
  if (top > EXACT_TOP_MOST || top - unit > 2 * EXACT_SHORT_BITS) return false;
  const f64 number = hd_f64_of_bits((u64)(cut + 52 + 1023) << 52 | (u64)1 << 51);
  for (u64 i = 0; i < row->length; i++) {
    const f64 v = thread_value(a, row, i), part = (v + number) - number;
    *high += part, *low += v - part;
  }
  return true;
}

/* Rows of lanes that are left, one after the other. */
HD_DEVICE void warp_rest(struct hd_exact *sum, const struct exact_rows_args *a, u64 first,
                         u32 left) {
  const u32 lane = threadIdx.x % 32;
  while (left) {
    const u64 r = first + (u64)(__ffs((int)left) - 1);
    const struct row row = row_find(a, r);
    for (u32 i = lane; i < HD_EXACT_LIMBS; i += 32) sum->limb[i] = 0;
    if (lane == 0) sum->nan = sum->plus = sum->minus = sum->added = 0;
    __syncwarp(); /* the sum is cleared */
    for (u64 i = lane; i < row.length; i += 32) thread_sum_value(sum, thread_value(a, &row, i));
    __syncwarp(); /* every lane has added */
    if (lane == 0) thread_sum_store(sum, &a->result, row_out(a, r));
    __syncwarp(); /* the result is stored */
    left &= left - 1;
  }
}

HD_KERNEL __launch_bounds__(256, 2) heddle_exact_short_rows(const struct exact_rows_args a) {
  __shared__ struct hd_exact sums[EXACT_WARPS];
  const u64 first = (u64)blockIdx.x * 256 + threadIdx.x / 32 * 32, r = first + threadIdx.x % 32;
  bool left = false;
  if (r < a.rows) {
    const struct row row = row_find(&a, r);
    f64 high, low;
    left = !thread_windows(&a, &row, &high, &low);
    if (!left) {
      const f64 result = hd_exact_round_two(high, low, a.result.out_type != HD_F64);
      thread_store(result, a.result.out_type, row_out(&a, r));
    }
  }
  warp_rest(&sums[threadIdx.x / 32], &a, first, __ballot_sync(HD_ALL, left));
}
