/* held_rows.cu - an exact sum a row, some lanes a row, which hold its elements in registers
 *
 * Result   heddle_exact_held_rows: out[r] of every row; of segments those of at most HD_EXACT_LONG_ROW
 *          elements
 * Defines  as windows.h; HEDDLE_QUADS 1: every 16 bytes of a row are one load; HEDDLE_LANES: of a row, 2 to
 *          32, of which rows that differ in length, and those longer than lanes hold, have 32. Products of
 *          f64 and what is divided or begins with init are rows.cu's
 * Launch   256 threads, any number of blocks; rows of at most HD_EXACT_LONG_ROW elements
 * Method   Lanes look at the range of what they hold and agree on one, then add it up: as it is where f64
 *          has room for all of its bits, else in two windows as windows.h cuts them, without rounding
 *          either way. Two numbers are the sum then, which order/exact/sum.h rounds. A longer row goes on
 *          with the windows that its beginning has found. A row that these do not hold is summed in limbs.
 * Order    none: integers
 * Source   docs/order.md, "Why exact sums are exact" */
#define HEDDLE_FORM 1 /* EXACT_BY_WARP */
#include "rows.h"

#define EXACT_WARPS 8
#define HELD_ELEMENTS ((int)HD_EXACT_HELD(ELEMENT_BYTES, EXACT_IS_PRODUCT))
#define HELD_LOADS (HELD_ELEMENTS / EXACT_EACH)
#define HELD_ALL (HEDDLE_LANES * HELD_ELEMENTS) /* of a row at once */
#define HELD_STEP (HEDDLE_LANES * EXACT_EACH)   /* of all lanes' first loads */
#define HELD_SLACK 2                            /* by which a long row may grow */
#define HELD_NONE (~0u)
#define HELD_BLOCKS (EXACT_IS_PRODUCT || HEDDLE_NAN ? 2 : 3) /* as registers hold */

/* What the lanes of a row agree on. */
struct held {
  i32 top, cut; /* magnitudes are below 2^top; the first window's unit is 2^cut */
  i32 bits;     /* of a window of as many elements as the row has */
  bool found;   /* something other than zero */
  bool fits;    /* so far */
};
struct held_sum {
  f64 high, low;
};

/* A lane's elements of a row from `from` on: zeros behind its end. */
HD_DEVICE void thread_hold(u64 x, i64 step, u64 from, u64 length, u32 *words) {
  const u32 lane = threadIdx.x % HEDDLE_LANES;
#if HEDDLE_QUADS
#pragma unroll
  for (int k = 0; k < HELD_LOADS; k++) {
    const u64 i = from + (u64)(k * HELD_STEP) + lane * EXACT_EACH;
    u32 *const four = words + 4 * k;
    four[0] = four[1] = four[2] = four[3] = 0;
    if (i < length) load_words((const u8 *)x + i * ELEMENT_BYTES, 16, 16, four);
  }
#else
  const element *const e = (const element *)x;
#pragma unroll
  for (int w = 0; w < 4 * HELD_LOADS; w++) words[w] = 0;
#pragma unroll
  for (int k = 0; k < HELD_ELEMENTS; k++) {
    const u64 i = from + (u64)(k * HEDDLE_LANES) + lane;
    if (i < length) word_put(words, k, e[(i64)i * step]);
  }
#endif
  (void)step;
}

/* Whether a load of the lanes has something of the longest row; elements k of a lane are of load k / EXACT_EACH. */
HD_DEVICE bool held_has(u64 rest, int k) {
#if HEDDLE_QUADS
  return (u64)(k / EXACT_EACH * HELD_STEP) < rest;
#else
  return (u64)(k / EXACT_EACH * EXACT_EACH * HEDDLE_LANES) < rest;
#endif
}

/* The greatest word, and the least of what is not zero, of the lanes of a row. */
HD_DEVICE void warp_held_range(const u32 *wx, const u32 *wy, u64 rest, u32 *most, u32 *least) {
  *most = 0, *least = HELD_NONE;
#pragma unroll
  for (int k = 0; k < HELD_ELEMENTS; k++) {
    if (!held_has(rest, k)) break;
    const struct exact_value v = exact_value_of(wx, wy, k);
    u32 low;
    const u32 word = exact_word(&v, &low);
    *most = max(*most, word), *least = min(*least, low);
  }
#pragma unroll
  for (int d = HEDDLE_LANES / 2; d; d /= 2) {
    *most = max(*most, __shfl_xor_sync(HD_ALL, *most, d));
    *least = min(*least, __shfl_xor_sync(HD_ALL, *least, d));
  }
}

/* Whether one sum without windows takes what lies between two words, if that is the whole row; else the windows take
 * it, or the row does not fit. */
HD_DEVICE bool held_agree(struct held *h, bool whole, u32 most, u32 least) {
  const i32 top = windows_exponent(most) + 1;
  const i32 last = windows_exponent(least) - exact_precision() + 1;
  const i32 unit = max(last, exact_lowest());
  if (least == HELD_NONE) return whole;
  if (!h->found) {
    h->found = true;
    h->top = whole ? top : top + HELD_SLACK;
    h->cut = max(h->top - h->bits, -1074);
  }
  h->fits =
      h->fits && most < windows_word(EXACT_TOP_MOST) && top <= h->top && h->cut - unit <= h->bits;
  return whole && unit >= h->cut;
}

HD_DEVICE void held_add(struct held_sum *sum, const u32 *wx, const u32 *wy, u64 rest) {
  f64 second = 0;
#pragma unroll
  for (int k = 0; k < HELD_ELEMENTS; k++) {
    if (!held_has(rest, k)) break;
    const f64 v = (f64)exact_value_of(wx, wy, k).value;
    if (k % 2)
      second += v;
    else
      sum->high += v;
  }
  sum->high += second;
}

HD_DEVICE void held_cut(struct held_sum *sum, f64 number, const u32 *wx, const u32 *wy, u64 rest) {
#pragma unroll
  for (int k = 0; k < HELD_ELEMENTS; k++) {
    if (!held_has(rest, k)) break;
    const f64 v = (f64)exact_value_of(wx, wy, k).value, part = (v + number) - number;
    sum->high += part, sum->low += v - part;
  }
}

HD_DEVICE f64 warp_lanes_sum(f64 value) {
#pragma unroll
  for (int d = HEDDLE_LANES / 2; d; d /= 2)
    value += __longlong_as_double((i64)__shfl_xor_sync(HD_ALL, hd_bits_f64(value), d));
  return value;
}

/* The row's sum in two parts; false: they do not hold it. `longest`: the greatest length of the warp's rows. */
HD_DEVICE bool warp_held_row(const struct exact_rows_args *a, const struct row *row, u64 longest,
                             struct held_sum *sum) {
  const u64 start = (u64)row->start * ELEMENT_BYTES;
  const bool whole = longest <= HELD_ALL;
  bool narrow = true;
  struct held h;
  h.top = h.cut = 0, h.found = false, h.fits = true;
  h.bits = longest < 2 ? 53 : 53 - (64 - __clzll((i64)(longest - 1)));
  sum->high = sum->low = 0;
#pragma unroll 1
  for (u64 from = 0; from < longest; from += HELD_ALL) {
    u32 wx[4 * HELD_LOADS], wy[4 * HELD_LOADS], most, least;
    const u64 rest = longest - from;
    thread_hold(a->x + start, a->step, from, row->length, wx);
    wy[0] = 0;
    if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS)
      thread_hold(a->y + start, a->step, from, row->length, wy);
    warp_held_range(wx, wy, rest, &most, &least);
    narrow = __all_sync(HD_ALL, held_agree(&h, whole, most, least));
    if (narrow)
      held_add(sum, wx, wy, rest);
    else
      held_cut(sum, hd_f64_of_bits((u64)(h.cut + 52 + 1023) << 52 | (u64)1 << 51), wx, wy, rest);
  }
  sum->high = warp_lanes_sum(sum->high);
  if (!narrow) sum->low = warp_lanes_sum(sum->low);
  return h.fits;
}

/* ---- rows that are left ----------------------------------------------------------------------------- */

/* By all lanes. */
HD_DEVICE void warp_row(struct hd_exact *sum, const struct exact_rows_args *a,
                        const struct row *row, u64 out) {
  struct windows s;
  const u32 lane = threadIdx.x % 32;
  for (u32 i = lane; i < HD_EXACT_LIMBS; i += 32) sum->limb[i] = 0;
  if (lane == 0) sum->nan = sum->plus = sum->minus = sum->added = 0;
  warp_windows_start(&s);
  __syncwarp(); /* the sum is cleared */
#pragma unroll 1
  for (u64 i = 0; i < row->length; i += 32 * EXACT_ELEMENTS) warp_row_take(&s, sum, a, row, i);
  warp_windows_flush(&s, sum);
  __syncwarp(); /* every lane has added */
  warp_sum_store(sum, &a->result, out);
  __syncwarp(); /* the result is stored */
}

HD_KERNEL __launch_bounds__(256, HELD_BLOCKS)
    heddle_exact_held_rows(const __grid_constant__ struct exact_rows_args a) {
  __shared__ struct hd_exact sums[EXACT_WARPS];
  const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, each = 32 / HEDDLE_LANES;
  const u64 rows = row_count(&a), step = (u64)gridDim.x * EXACT_WARPS * each;
#pragma unroll 1
  for (u64 r = ((u64)blockIdx.x * EXACT_WARPS + warp) * each; r < rows; r += step) {
    const u64 own = r + lane / HEDDLE_LANES;
    struct held_sum sum;
    struct row row;
    row.start = 0, row.length = 0;
    if (own < rows) row = row_find(&a, own);
    if (a.offsets && row.length > HD_EXACT_LONG_ROW) continue;
    const bool fits = warp_held_row(&a, &row, a.offsets ? row.length : a.length, &sum);
    if (fits && own < rows && lane % HEDDLE_LANES == 0) {
      const f64 result = hd_exact_round_two(sum.high, sum.low, a.result.out_type != HD_F64);
      thread_store(result, a.result.out_type, row_out(&a, own));
    }
    u32 left = __ballot_sync(HD_ALL, !fits && lane % HEDDLE_LANES == 0);
    while (left) {
      const u64 odd = r + (u64)(__ffs((int)left) - 1) / HEDDLE_LANES;
      row = row_find(&a, odd);
      warp_row(&sums[warp], &a, &row, row_out(&a, odd));
      left &= left - 1;
    }
  }
}
