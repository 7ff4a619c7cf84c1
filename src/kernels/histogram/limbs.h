/* limbs.h - exact sums of weights that fixed point has no room for
 *
 * Result   limbs_add     a finite weight added to a counter's limbs in global memory
 *          limbs_carry   what a counter's limbs have beyond 32 bits goes to the next ones
 *          limbs_finish  a counter's sum, that of its limbs and of its amount, rounded once to f64; the limbs
 *                        are zero afterwards (unless a.keep)
 * Method   Limbs are integers: atomics add them up in any order. A mark says which counters have any.
 * Limits   less than 2^29 weights between carries
 * Source   docs/order.md, rule 15; src/cpu/histogram/limbs.h is the same on a CPU */
#ifndef HEDDLE_KERNELS_HISTOGRAM_LIMBS_H
#define HEDDLE_KERNELS_HISTOGRAM_LIMBS_H

#include "kernels/base/device.h"
#include "order/exact/weights.h"

#include "args.h"

#define HD_MARK_LIMBS 16u

HD_DEVICE i64 *limbs_of(const struct hist_args *a, u64 counter) {
  return (i64 *)a->limbs + counter * a->limbs_count;
}

static __device__ __noinline__ void limbs_add(const struct hist_args *a, u64 counter, f64 weight) {
  i32 exponent;
  const i64 integer = hd_exact_integer(weight, &exponent);
  const struct hd_exact_parts parts = hd_exact_split(integer, exponent);
  u64 *to = (u64 *)limbs_of(a, counter) + (parts.limb - a->first_limb);
  u32 *mark = (u32 *)a->marks + counter;
#pragma unroll
  for (u32 k = 0; k < 3; k++)
    if (parts.part[k]) memory_add64(to + k, (u64)parts.part[k]);
  if (!(__ldcg(mark) & HD_MARK_LIMBS)) atomicOr(mark, HD_MARK_LIMBS);
}

HD_DEVICE void limbs_carry(const struct hist_args *a, u64 counter) {
  i64 *limb = limbs_of(a, counter);
  for (u32 i = 0; i + 1 < a->limbs_count; i++) {
    limb[i + 1] += limb[i] >> 32;
    limb[i] &= (i64)0xffffffff;
  }
}

/* The bits of the f64. */
static __device__ __noinline__ u64 limbs_finish(const struct hist_args *a, u64 counter, u64 low,
                                                u64 high, i32 exponent) {
  struct hd_exact sum;
  struct hd_exact_span span;
  i64 *limb = limbs_of(a, counter);
  span.first = a->first_limb, span.end = a->first_limb + a->limbs_count;
  const struct hd_exact_span all = hd_exact_span_with_fixed(span, exponent);
  hd_exact_clear(&sum, all);
  for (u32 i = span.first; i < span.end; i++, limb++) {
    sum.limb[i] = __ldcg(limb);
    if (!a->keep) *limb = 0;
  }
  hd_exact_add_fixed(&sum, low, (i64)high, exponent);
  return hd_bits_f64(hd_exact_round(&sum, all, hd_exact_format_of(HD_EXACT_F64)));
}

#endif
