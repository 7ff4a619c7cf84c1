/* short_rows.cu - an exact sum a row, of rows of few elements, a lane a row
 *
 * Result   heddle_exact_short_rows: out[r] of every row
 * Defines  as windows.h; HEDDLE_QUADS 1: every 16 bytes of a row are one load. Products of f64 and what is
 *          divided or begins with init are rows.cu's
 * Launch   256 threads, a thread a row; rows of at most 64 elements
 * Method   A lane looks for the range of its elements, then sums them in two windows, as
 *          order/exact/sum.h rounds them; a row that these do not hold is summed by the warp, bit by bit.
 * Order    none: integers
 * Source   docs/order.md, "Why exact sums are exact" */
#define HEDDLE_FORM 1 /* EXACT_BY_WARP */
#include "rows.h"

#define EXACT_WARPS 8
#define EXACT_SHORT_BITS 47 /* of a window of 64 elements */

/* Elements i .. of a row, EXACT_EACH at a time: one load where HEDDLE_QUADS says that they lie so. */
HD_DEVICE void thread_words(u64 x, const struct exact_rows_args *a, const struct row *row, u64 i,
                            u32 *words) {
  const element *const e = (const element *)x + row->start + (i64)i * a->step;
#if HEDDLE_QUADS
  load_words(e, 16, 16, words);
#else
  words[0] = words[1] = words[2] = words[3] = 0;
#pragma unroll
  for (int k = 0; k < EXACT_EACH; k++)
    if (i + (u64)k < row->length) word_put(words, k, e[(i64)k * a->step]);
#endif
}

struct short_range {
  u32 most, least;
};
struct short_sum {
  f64 number, high, low;
};

HD_DEVICE void thread_range(const u32 *wx, const u32 *wy, struct short_range *range) {
#pragma unroll
  for (int k = 0; k < EXACT_EACH; k++) {
    const u64 magnitude = hd_bits_f64((f64)exact_value_of(wx, wy, k).value) & (u64)HD_I64_MAX;
    range->most = max(range->most, (u32)(magnitude >> 32));
    range->least = min(range->least, (u32)((magnitude - 1) >> 32));
  }
}
HD_DEVICE void thread_cut(const u32 *wx, const u32 *wy, struct short_sum *sum) {
#pragma unroll
  for (int k = 0; k < EXACT_EACH; k++) {
    const f64 v = (f64)exact_value_of(wx, wy, k).value, part = (v + sum->number) - sum->number;
    sum->high += part, sum->low += v - part;
  }
}

/* One of the two, of all elements of a row. */
HD_DEVICE void thread_pass(const struct exact_rows_args *a, const struct row *row,
                           struct short_range *range, struct short_sum *sum) {
#pragma unroll 2
  for (u64 i = 0; i < row->length; i += EXACT_EACH) {
    u32 wx[4], wy[4];
    thread_words(a->x, a, row, i, wx);
    if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS) thread_words(a->y, a, row, i, wy);
    if (range)
      thread_range(wx, wy, range);
    else
      thread_cut(wx, wy, sum);
  }
}

/* The row's sum in two parts; false: they do not hold it. */
HD_DEVICE bool thread_windows(const struct exact_rows_args *a, const struct row *row,
                              struct short_sum *sum) {
  struct short_range range;
  range.most = 0, range.least = ~0u;
  sum->high = sum->low = 0;
  thread_pass(a, row, &range, sum);
  const i32 top = (i32)(range.most >> 20) - 1022, last = (i32)(range.least >> 20) - 1023;
  const i32 unit = max(last - exact_precision() + 1, exact_lowest());
  const i32 cut = max(top - EXACT_SHORT_BITS, -1074);
  if (range.least == ~0u) return true;
  if (top > EXACT_TOP_MOST || top - unit > 2 * EXACT_SHORT_BITS) return false;
  sum->number = hd_f64_of_bits((u64)(cut + 52 + 1023) << 52 | (u64)1 << 51);
  thread_pass(a, row, 0, sum);
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
    for (u64 i = lane; i < row.length; i += 32)
      thread_sum_element(sum, a->x, a->y, row.start + (i64)i * a->step);
    __syncwarp(); /* every lane has added */
    warp_sum_store(sum, &a->result, row_out(a, r));
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
    struct short_sum sum;
    left = !thread_windows(&a, &row, &sum);
    if (!left) {
      const f64 result = hd_exact_round_two(sum.high, sum.low, a.result.out_type != HD_F64);
      thread_store(result, a.result.out_type, row_out(&a, r));
    }
  }
  warp_rest(&sums[threadIdx.x / 32], &a, first, __ballot_sync(HD_ALL, left));
}
