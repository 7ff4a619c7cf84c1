/* quantile.h - quantiles out of the bits of elements, by order/quantile.h
 *
 * Result   place_of  the ranks of a share; false where the quantile is NaN
 *          value_of  the quantile of the elements of these ranks
 * Defines  kernels/sort/key.h's; HEDDLE_QUANTILES; where it is 1, HEDDLE_TYPE of order/device/element.h */
#ifndef HEDDLE_KERNELS_RANK_QUANTILE_H
#define HEDDLE_KERNELS_RANK_QUANTILE_H

#include "kernels/sort/key.h"

#include "args.h" /* needs their types */

#if HEDDLE_QUANTILES
#include "order/device/element.h"
#include "order/quantile.h"

#define IS_FLOAT HD_TYPE_IS_FLOAT(HEDDLE_TYPE)

/* Of `count` elements, `nans` of which are NaN. */
HD_DEVICE bool place_of(u32 method, u32 skip, u64 count, u64 nans, f64 share,
                        struct hd_quantile_place *out) {
  const u64 numbers = count - nans;
  if (!numbers || (nans && !skip)) return false;
  hd_quantile_place(method, numbers, share, out);
  return true;
}

HD_DEVICE element element_of(key_bits bits) {
#if HEDDLE_TYPE == HD_F32
  return hd_f32_of_bits(bits);
#elif HEDDLE_TYPE == HD_F64
  return hd_f64_of_bits(bits);
#else
  return (element)bits;
#endif
}

HD_DEVICE f64 value_of(u32 method, const struct hd_quantile_place *place, key_bits lower,
                       key_bits upper) {
  return hd_quantile_value(method, to_f64(element_of(lower)), to_f64(element_of(upper)), place->t);
}
#endif

#endif
