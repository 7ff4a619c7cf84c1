/* columns.h - sums of the 64 columns of a chunk of f64, two neighbours a lane (order v1, rule 2)
 *
 * Result   warp_columns(even, odd)  their fold by halves, in all lanes; warp_sum_u32
 * Who      all 32 lanes arrive
 * Method   Column j and column j + 32 lie 16 lanes apart: of such a pair of lanes one goes on with the sums
 *          of the even columns and the other with those of the odd ones, so that every exchange is of one
 *          number. The last one joins even and odd. */
#ifndef HEDDLE_ORDER_DEVICE_COLUMNS_H
#define HEDDLE_ORDER_DEVICE_COLUMNS_H

#include "intrinsics.h"

HD_DEVICE f64 warp_columns(f64 even, f64 odd) {
  const bool low = (threadIdx.x & 16u) == 0;
  f64 t = (low ? even : odd) + __shfl_xor_sync(HD_ALL, low ? odd : even, 16);
#pragma unroll
  for (int h = 8; h; h >>= 1) t = t + __shfl_xor_sync(HD_ALL, t, h);
  return t + __shfl_xor_sync(HD_ALL, t, 16);
}

HD_DEVICE u32 warp_sum_u32(u32 t) {
#pragma unroll
  for (int h = 16; h; h >>= 1) t += __shfl_xor_sync(HD_ALL, t, h);
  return t;
}

#endif
