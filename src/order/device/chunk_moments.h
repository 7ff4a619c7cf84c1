/* chunk_moments.h - the moments of one full chunk by one warp (order v1, rule 9)
 *
 * Result   warp_chunk_total(x, y)  the moments of the 1,024 elements at x, in all lanes; y is not read
 * Defines  as chunk.h
 * Who      all 32 lanes arrive
 * Method   A lane holds two neighbouring columns, all rows at once, and goes over them twice: the
 *          sum, extremes and whether all is finite; then the powers of the deviations from the
 *          chunk's own mean. Extremes are kept in the narrowest type that orders as f64 does. NaN
 *          and infinities are counted in a third pass, by the rare chunk that has any.
 * Source   docs/order.md; src/cpu/fold/describe/chunk.h is the same on a CPU */
#ifndef HEDDLE_ORDER_DEVICE_CHUNK_MOMENTS_H
#define HEDDLE_ORDER_DEVICE_CHUNK_MOMENTS_H

#include "wide_mean.h"

#if HEDDLE_TYPE == HD_F64
typedef i64 moments_key;
HD_DEVICE moments_key moments_key_of(element x) { return hd_key_of_f64(x); }
HD_DEVICE f64 moments_value(moments_key key) { return hd_f64_of_key(key); }
HD_DEVICE bool moments_finite(element x) {
  return (hd_bits_f64(x) & HD_I64_MAX) < 0x7ff0000000000000ull;
}
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
typedef i32 moments_key;
HD_DEVICE moments_key moments_key_of(element x) { return hd_key_of_f32(to_f32(x)); }
HD_DEVICE f64 moments_value(moments_key key) { return (f64)hd_f32_of_key(key); }
HD_DEVICE bool moments_finite(element x) {
  return (hd_bits_f32(to_f32(x)) & 0x7fffffffu) < 0x7f800000u;
}
#else
#if ELEMENT_BYTES < 4
typedef i32 moments_key;
#else
typedef element moments_key;
#endif
HD_DEVICE moments_key moments_key_of(element x) { return x; }
HD_DEVICE f64 moments_value(moments_key key) { return (f64)key; }
HD_DEVICE bool moments_finite(element x) {
  (void)x;
  return true;
}
#endif

/* The extremes of all lanes as keys of f64. */
HD_DEVICE void warp_moments_extremes(total *t) {
#pragma unroll
  for (int h = 16; h; h >>= 1) {
    i64 least = __shfl_xor_sync(HD_ALL, t->min_key, h);
    i64 most = __shfl_xor_sync(HD_ALL, t->max_key, h);
    t->min_key = least < t->min_key ? least : t->min_key;
    t->max_key = most > t->max_key ? most : t->max_key;
  }
}

/* NaN and infinities, and the extremes of what is not NaN, of a chunk that has any. */
HD_DEVICE void warp_moments_odd_ones(u32 words[TOTAL_ROWS][CHUNK_WORDS], total *t) {
  u32 nan = 0, infinite = 0;
  t->min_key = HD_I64_MAX, t->max_key = HD_I64_MIN;
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      f64 e = to_f64(word_element(words[r], c));
      i64 key = hd_key_of_f64(e);
      nan += e != e;
      infinite += e == e && e - e != 0;
      t->min_key = e == e && key < t->min_key ? key : t->min_key;
      t->max_key = e == e && key > t->max_key ? key : t->max_key;
    }
  t->nan = warp_sum_u32(nan);
  t->infinite = warp_sum_u32(infinite);
}

/* The first pass; all lanes arrive, and hold all but n and the moments. */
HD_DEVICE void warp_moments_first_pass(u32 words[TOTAL_ROWS][CHUNK_WORDS], total *t) {
  f64 sum[2];
  moments_key least = moments_key_of(word_element(words[0], 0)), most = least;
  bool finite = true;
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      const element x = word_element(words[r], c);
      const moments_key key = moments_key_of(x);
      f64 e = to_f64(x);
      least = key < least ? key : least;
      most = key > most ? key : most;
      finite = finite && moments_finite(x);
      if (HEDDLE_NAN && !(e == e)) e = -0.0;
      sum[c] = r ? sum[c] + e : e;
    }
  t->sum = warp_columns(sum[0], sum[1]);
  t->nan = t->infinite = 0;
  t->min_key = hd_key_of_f64(moments_value(least));
  t->max_key = hd_key_of_f64(moments_value(most));
  if (!__all_sync(HD_ALL, finite)) warp_moments_odd_ones(words, t);
  warp_moments_extremes(t);
}

HD_DEVICE total warp_chunk_total(const element *x, const element *y) {
  const u8 *at = (const u8 *)x + warp_lane() * CHUNK_LANE_BYTES;
  u32 words[TOTAL_ROWS][CHUNK_WORDS];
  f64 two[2], three[2];
  total t;
  (void)y;
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
    load_words(at + r * TOTAL_LANES * ELEMENT_BYTES, CHUNK_LANE_BYTES,
               HEDDLE_ALIGN < CHUNK_LANE_BYTES ? HEDDLE_ALIGN : CHUNK_LANE_BYTES, words[r]);
  warp_moments_first_pass(words, &t);
  t.n = 1024.0;
  if (HEDDLE_NAN) t.n -= (f64)t.nan;
  t.mean = t.m2 = t.m3 = 0;
  if (t.n == 0) return t;
  t.mean = t.sum / t.n;
  if (moments_overflow(&t)) t.mean = warp_wide_mean(words, t.n); /* in all lanes, or in none */
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      const f64 e = to_f64(word_element(words[r], c));
      const f64 d = !HEDDLE_NAN || e == e ? e - t.mean : 0.0, d2 = d * d;
      two[c] = r ? two[c] + d2 : d2;
      three[c] = r ? three[c] + d2 * d : d2 * d;
    }
  t.m2 = warp_columns(two[0], two[1]);
  t.m3 = warp_columns(three[0], three[1]);
  return t;
}

#endif
