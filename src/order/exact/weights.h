/* weights.h - an exact sum of weights, of which most are in fixed point (docs/order.md, rule 15)
 *
 * Method   Weights that are whole multiples of 2^(E - 86) are added as such, whatever E is, for that is fast
 *          (fixed_sum.h); the others as limbs. The sum is that of both.
 *
 * C and CUDA C++ both read it. */
#ifndef HEDDLE_ORDER_EXACT_WEIGHTS_H
#define HEDDLE_ORDER_EXACT_WEIGHTS_H

#include "sum.h"

#define HD_EXACT_FIXED_BITS 86 /* HD_FIXED_BITS */

/* The span, and the limbs that 128 bits and a few parts more of multiples of 2^(exponent - 86) take. */
HD_FUNCTION struct hd_exact_span hd_exact_span_with_fixed(struct hd_exact_span span, i32 exponent) {
  const u32 first = (u32)(exponent - HD_EXACT_FIXED_BITS + 32 * HD_EXACT_BELOW) / 32;
  if (first < span.first) span.first = first;
  if (first + 8 > span.end) span.end = first + 8;
  return span;
}

/* *sum gains (high 2^64 + low) 2^(exponent - 86), a signed number. */
HD_FUNCTION void hd_exact_add_fixed(struct hd_exact *sum, u64 low, i64 high, i32 exponent) {
  const i64 piece[4] = {(i64)(low & 0xffffffffu), (i64)(low >> 32), high & (i64)0xffffffff,
                        high >> 32};
  for (u32 k = 0; k < 4; k++) {
    const struct hd_exact_parts parts =
        hd_exact_split(piece[k], exponent - HD_EXACT_FIXED_BITS + 32 * (i32)k);
    hd_exact_add_parts(sum, &parts);
  }
  sum->added += 4;
}

#endif
