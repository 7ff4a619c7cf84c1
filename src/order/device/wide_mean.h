/* wide_mean.h - the mean of a full chunk whose sum is beyond f64, by one warp (order v1, rule 9)
 *
 * Result   warp_wide_mean(words, n)  in all lanes; words: the lane's elements, two neighbours of each row
 * Defines  as chunk.h
 * Who      all 32 lanes arrive
 * Method   Elements are made smaller by a power of two, and the mean larger again.
 * Source   docs/order.md */
#ifndef HEDDLE_ORDER_DEVICE_WIDE_MEAN_H
#define HEDDLE_ORDER_DEVICE_WIDE_MEAN_H

#include "columns.h"

#define CHUNK_LANE_BYTES (2 * ELEMENT_BYTES)
#define CHUNK_WORDS ((CHUNK_LANE_BYTES + 3) / 4)

HD_DEVICE f64 warp_wide_mean(u32 words[TOTAL_ROWS][CHUNK_WORDS], f64 n) {
  f64 sum[2];
#pragma unroll
  for (int r = 0; r < TOTAL_ROWS; r++)
#pragma unroll
    for (int c = 0; c < 2; c++) {
      f64 e = to_f64(word_element(words[r], c)) * 0.00048828125; /* 2^-11 */
      if (HEDDLE_NAN && !(e == e)) e = -0.0;
      sum[c] = r ? sum[c] + e : e;
    }
  return hd_moments_scaled_mean(warp_columns(sum[0], sum[1]), n);
}

#endif
