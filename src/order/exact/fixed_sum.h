/* fixed_sum.h - exact sums of weights in fixed point (docs/order.md, rule 14)
 *
 * Result   every finite weight, |w| < 2^E, is rounded once, to nearest even, to a multiple of
 *          2^(E - 86); sums of up to 2^40 of them are exact in 128 bits, so no order of addition
 *          shows; a sum is rounded once to f64.
 * Method   A weight is hi * 2^43 + lo units, and a accumulator sums both halves in 64 bits, so that one
 *          addition of vectors takes a weight; what they have grown to is carried on in time.
 * Limits   NaN and infinite weights are marks beside the sum. */
#ifndef HEDDLE_ORDER_FIXED_SUM_H
#define HEDDLE_ORDER_FIXED_SUM_H

#include "order/types.h"

enum {
  HD_FIXED_BITS = 86,
  HD_HALF_BITS = HD_FIXED_BITS / 2,
  HD_FIXED_ROOM_BITS = 40 /* 2^40 weights of whatever size */
};

struct hd_fixed { /* two's complement, high * 2^64 + low */
  u64 low;
  i64 high;
};

enum hd_mark { HD_MARK_PLUS = 1, HD_MARK_MINUS = 2, HD_MARK_NAN = 4, HD_MARK_TOO_LARGE = 8 };

/* top * 2^86 + hi * 2^43 + lo units, and of how many weights. A weight adds at most 2^43 to hi and lo
 * each, so HD_ACCUMULATOR_ROOM of them pass no 64 bits after a carry. */
struct hd_accumulator {
  i64 hi, lo;
  u64 count;
  i64 top;
};

enum { HD_ACCUMULATOR_ROOM = 1 << 18 };

/* The same sum with 0 <= hi, lo < 2^43. */
static inline void hd_accumulator_carry(struct hd_accumulator *accumulator) {
  const i64 half = (INT64_C(1) << HD_HALF_BITS) - 1;
  accumulator->hi += accumulator->lo >> HD_HALF_BITS;
  accumulator->lo &= half;
  accumulator->top += accumulator->hi >> HD_HALF_BITS;
  accumulator->hi &= half;
}

/* To be called whenever the count has grown by one. */
static inline void hd_accumulator_keep(struct hd_accumulator *accumulator) {
  if (__builtin_expect(!(accumulator->count & (HD_ACCUMULATOR_ROOM - 1)), 0))
    hd_accumulator_carry(accumulator);
}

static inline void hd_accumulator_add(struct hd_accumulator *accumulator, struct hd_fixed x) {
  accumulator->hi += (i64)((u64)x.high << (64 - HD_HALF_BITS) | x.low >> HD_HALF_BITS);
  accumulator->lo += (i64)(x.low & ((UINT64_C(1) << HD_HALF_BITS) - 1));
  accumulator->count++;
  hd_accumulator_keep(accumulator);
}

/* *accumulator gains *other, which is left empty. */
static inline void hd_accumulator_merge(struct hd_accumulator *accumulator,
                                        struct hd_accumulator *other) {
  hd_accumulator_carry(accumulator);
  hd_accumulator_carry(other);
  *accumulator =
      (struct hd_accumulator){accumulator->hi + other->hi, accumulator->lo + other->lo,
                              accumulator->count + other->count, accumulator->top + other->top};
  hd_accumulator_carry(accumulator);
  *other = (struct hd_accumulator){0, 0, 0, 0};
}

static inline struct hd_fixed hd_accumulator_sum(struct hd_accumulator accumulator) {
  hd_accumulator_carry(&accumulator);
  const u64 hi = (u64)accumulator.hi, top = (u64)accumulator.top;
  return (struct hd_fixed){(u64)accumulator.lo | hi << HD_HALF_BITS,
                           (i64)(hi >> (64 - HD_HALF_BITS) | top << (HD_FIXED_BITS - 64))};
}

/* 2^(43 - E) in two factors, because it may pass the range of f64 though the product does not. A
 * product that becomes denormal is far below half a unit. */
struct hd_scale {
  f64 one, two;
};
struct hd_scale hd_fixed_scale(int exponent);

/* fixed[i] = the weight in multiples of 2^(exponent - 86), marks[i] = 0 or what it is instead.
 * Returns all marks of the n weights together. */
unsigned hd_fixed_weights(heddle_type type, const void *weights, size_t n, int exponent,
                          struct hd_fixed *fixed, u8 *marks);

/* sum * 2^(exponent - 86), rounded to nearest even; or what the marks make of it. */
f64 hd_fixed_round(struct hd_fixed sum, int exponent, unsigned marks);

/* The least E with |w| < 2^E for every w from lo to hi; 0 if both are 0. */
int hd_fixed_exponent(f64 lo, f64 hi);

#endif
