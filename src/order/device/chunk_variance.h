/* chunk_variance.h - count, mean and squares of one full chunk by one warp (order v1, rule 9)
 *
 * Result   warp_chunk_total(x, y)  the total of the 1,024 elements at x, in all lanes; y is not read
 * Defines  as chunk.h
 * Who      all 32 lanes arrive
 * Method   As chunk_moments.h, of which nothing is left but two sums: of the elements, and of the squares
 *          of what they are off their mean. Elements stay as they are, and become f64 twice: that takes
 *          half the registers, for which twice the warps are there to wait for memory.
 * Source   docs/order.md; src/cpu/fold/describe/chunk.h is the same on a CPU */
#ifndef HEDDLE_ORDER_DEVICE_CHUNK_VARIANCE_H
#define HEDDLE_ORDER_DEVICE_CHUNK_VARIANCE_H

#include "wide_mean.h"

#define VARIANCE_LOOK_AGAIN (HEDDLE_NAN && ELEMENT_BYTES < 8)

/* Whether every value of the chunk that counts is finite. */
HD_DEVICE bool warp_variance_finite(u32 words[TOTAL_ROWS][CHUNK_WORDS]) {
  bool finite = true;
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      const f64 e = to_f64(word_element(words[r], c));
      finite = finite && (e - e == 0 || (HEDDLE_NAN && !(e == e)));
    }
  return __all_sync(HD_ALL, finite) != 0;
}

HD_DEVICE total warp_chunk_total(const element *x, const element *y) {
  const u8 *at = (const u8 *)x + warp_lane() * CHUNK_LANE_BYTES;
  u32 words[TOTAL_ROWS][CHUNK_WORDS], nan = 0;
  f64 sum[2], two[2];
  total t;
  (void)y;
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
    load_words(at + r * TOTAL_LANES * ELEMENT_BYTES, CHUNK_LANE_BYTES,
               HEDDLE_ALIGN < CHUNK_LANE_BYTES ? HEDDLE_ALIGN : CHUNK_LANE_BYTES, words[r]);
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      f64 e = to_f64(word_element(words[r], c));
      if (HEDDLE_NAN && !(e == e)) e = -0.0, nan++;
      sum[c] = r ? sum[c] + e : e;
    }
  const f64 all = warp_columns(sum[0], sum[1]);
  t.n = 1024.0, t.mean = t.m2 = 0;
  if (HEDDLE_NAN) t.n -= (f64)warp_sum_u32(nan);
  if (t.n == 0) return t;
  t.mean = all / t.n;
  if (HEDDLE_TYPE == HD_F64 && all - all != 0 && warp_variance_finite(words))
    t.mean = warp_wide_mean(words, t.n); /* in all lanes, or in none */
#if VARIANCE_LOOK_AGAIN
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int w = 0; w < CHUNK_WORDS; w++) words[r][w] = look_again(words[r][w]);
#endif
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      const f64 e = to_f64(word_element(words[r], c));
      const f64 d = !HEDDLE_NAN || e == e ? e - t.mean : 0.0, d2 = d * d;
      two[c] = r ? two[c] + d2 : d2;
    }
  t.m2 = warp_columns(two[0], two[1]);
  return t;
}

#endif
