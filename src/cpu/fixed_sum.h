/* fixed_sum.h - exact sums of weights in fixed point (docs/order.md, rule 14)
 *
 * Result   every finite weight, |w| < 2^E, is rounded once, to nearest even, to a multiple of
 *          2^(E - 86); sums of up to 2^40 of them are exact in 128 bits, so no order of addition
 *          shows; a sum is rounded once to f64.
 * Limits   NaN and infinite weights are marks beside the sum. */
#ifndef HEDDLE_CPU_FIXED_SUM_H
#define HEDDLE_CPU_FIXED_SUM_H

#include "../types.h"

enum { HD_FIXED_BITS = 86 };

struct hd_fixed { /* two's complement, high * 2^64 + low */
  u64 low;
  i64 high;
};

enum hd_mark { HD_MARK_PLUS = 1, HD_MARK_MINUS = 2, HD_MARK_NAN = 4, HD_MARK_TOO_LARGE = 8 };

static inline void hd_fixed_add(struct hd_fixed *sum, struct hd_fixed x) {
  sum->low += x.low;
  sum->high = (i64)((u64)sum->high + (u64)x.high + (sum->low < x.low));
}

/* fixed[i] = the weight in multiples of 2^(exponent - 86), marks[i] = 0 or what it is instead.
 * Returns all marks of the n weights together. */
unsigned hd_fixed_weights(heddle_type type, const void *weights, size_t n, int exponent,
                          struct hd_fixed *fixed, u8 *marks);

/* sum * 2^(exponent - 86), rounded to nearest even; or what the marks make of it. */
f64 hd_fixed_round(struct hd_fixed sum, int exponent, unsigned marks);

/* The least E with |w| < 2^E for every w from lo to hi; 0 if both are 0. */
int hd_fixed_exponent(f64 lo, f64 hi);

#endif
