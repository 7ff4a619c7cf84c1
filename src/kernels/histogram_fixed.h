/* histogram_fixed.h - a weight as a fixed-point number, in digits that fit 32-bit counters
 *
 * Result   fix_weight   |w| as a multiple of 2^(E - 86), rounded once to nearest even, in digits
 *          digits_add   added to a cell's digits in shared memory
 *          amount_add   added to a cell's 128-bit sum in global memory
 * Defines  HEDDLE_WEIGHT   the number of the weights' type
 * Method   digit 0 has bits 61 to 86 of a sum, digit 1 bits 32 to 60, digit 2 the 32 below. A digit is
 *          an i32, whose addition tells by the old value whether it overflowed; that is rare, because
 *          it has bits to spare, and goes to the next digit or, from the first, to the cell's sum.
 *          Weights of up to 32 bits have no digit 2: what they have below bit 32, because they are
 *          2^30 times smaller than others, goes to the sum at once.
 * Limits   sums of up to 2^40 weights
 * Source   docs/order.md, rule 14; src/cpu/fixed_sum.c is the same on a CPU */
#ifndef HEDDLE_KERNELS_HISTOGRAM_FIXED_H
#define HEDDLE_KERNELS_HISTOGRAM_FIXED_H

#include "histogram_round.h"
#include "value.h"

#if HEDDLE_WEIGHT == HD_F64 || HEDDLE_WEIGHT == HD_U64 || HEDDLE_WEIGHT == HD_I64
#define DIGITS 3
#define WEIGHT_BYTES 8
typedef u64 weight_bits;
#else
#define DIGITS 2
typedef u32 weight_bits;
#if HEDDLE_WEIGHT == HD_U8 || HEDDLE_WEIGHT == HD_I8
#define WEIGHT_BYTES 1
#elif HEDDLE_WEIGHT == HD_U16 || HEDDLE_WEIGHT == HD_I16 || HEDDLE_WEIGHT == HD_F16 || \
    HEDDLE_WEIGHT == HD_BF16
#define WEIGHT_BYTES 2
#else
#define WEIGHT_BYTES 4
#endif
#endif

#define HD_MARK_TOO_LARGE 8u
#define HD_FAULT_WEIGHT 4 /* of enum hd_fault_code */

/* The magnitude is digit[0] * 2^61 + digit[1] * 2^32 + rest. */
struct fixed {
  u32 digit[2], rest;
  bool negative;
  u32 mark;
};

/* magnitude * 2^up, magnitude < 2^64, rounded to nearest even, into *out. */
HD_DEVICE void fix_wide(u64 magnitude, i32 up, struct fixed *out) {
  u64 low = 0, high = 0;
  if (magnitude && up + 64 - __clzll((i64)magnitude) > HD_FIXED_BITS) {
    out->mark = HD_MARK_TOO_LARGE;
    magnitude = 0;
  }
  if (up >= 64) {
    high = magnitude ? magnitude << (up - 64) : 0;
  } else if (up > 0) {
    low = magnitude << up, high = magnitude >> (64 - up);
  } else if (up == 0) {
    low = magnitude;
  } else if (up >= -64) {
    i32 down = -up;
    u64 half = 1ull << (down - 1), rest = magnitude & (half | (half - 1));
    low = down == 64 ? 0 : magnitude >> down;
    low += rest > half || (rest == half && (low & 1));
  }
  out->digit[0] = (u32)(high << 3 | low >> 61);
  out->digit[1] = (u32)(low >> 32) & 0x1fffffffu;
  out->rest = (u32)low;
}

/* The same for magnitude < 2^32 in fewer steps. */
HD_DEVICE void fix_narrow(u32 magnitude, i32 up, struct fixed *out) {
  if (up < 32) {
    fix_wide(magnitude, up, out);
    return;
  }
  if (magnitude && up + 32 - __clz((i32)magnitude) > HD_FIXED_BITS) {
    out->mark = HD_MARK_TOO_LARGE;
    magnitude = 0;
  }
  u64 upper = magnitude ? (u64)magnitude << (up - 32) : 0;
  out->digit[0] = (u32)(upper >> 29);
  out->digit[1] = (u32)upper & 0x1fffffffu;
  out->rest = 0;
}

HD_DEVICE void fix_f64(u64 bits, i32 exponent, struct fixed *out) {
  u64 mantissa = bits & 0xfffffffffffffull;
  i32 e = (i32)(bits >> 52) & 0x7ff;
  out->negative = bits >> 63 != 0;
  if (e == 0x7ff) {
    out->mark = mantissa ? HD_MARK_NAN : out->negative ? HD_MARK_MINUS : HD_MARK_PLUS;
    mantissa = 0;
  } else if (e) {
    mantissa |= 1ull << 52;
  }
  fix_wide(mantissa, (e ? e : 1) - 1075 - exponent + HD_FIXED_BITS, out);
}

HD_DEVICE void fix_f32(u32 bits, i32 exponent, struct fixed *out) {
  u32 mantissa = bits & 0x7fffffu;
  i32 e = (i32)(bits >> 23) & 0xff;
  out->negative = bits >> 31 != 0;
  if (e == 0xff) {
    out->mark = mantissa ? HD_MARK_NAN : out->negative ? HD_MARK_MINUS : HD_MARK_PLUS;
    mantissa = 0;
  } else if (e) {
    mantissa |= 1u << 23;
  }
  fix_narrow(mantissa, (e ? e : 1) - 150 - exponent + HD_FIXED_BITS, out);
}

HD_DEVICE struct fixed fix_weight(weight_bits bits, i32 exponent) {
  struct fixed out;
  out.mark = 0;
#if HEDDLE_WEIGHT == HD_F64
  fix_f64(bits, exponent, &out);
#elif HEDDLE_WEIGHT == HD_F32
  fix_f32(bits, exponent, &out);
#elif HEDDLE_WEIGHT == HD_F16
  fix_f32(bits_of_f32(f32_of_f16((u16)bits)), exponent, &out);
#elif HEDDLE_WEIGHT == HD_BF16
  fix_f32(bits << 16, exponent, &out);
#elif HEDDLE_WEIGHT == HD_U64
  out.negative = false;
  fix_wide(bits, HD_FIXED_BITS - exponent, &out);
#elif HEDDLE_WEIGHT == HD_I64
  out.negative = (i64)bits < 0;
  fix_wide(out.negative ? 0 - bits : bits, HD_FIXED_BITS - exponent, &out);
#else
#if HEDDLE_WEIGHT == HD_I8
  i32 value = (i8)bits;
#elif HEDDLE_WEIGHT == HD_I16
  i32 value = (i16)bits;
#else
  i32 value = (i32)bits;
#endif
  out.negative = HD_TYPE_IS_SIGNED(HEDDLE_WEIGHT) && value < 0;
  fix_narrow(out.negative ? 0u - (u32)value : (u32)value, HD_FIXED_BITS - exponent, &out);
#endif
  return out;
}

HD_DEVICE void amount_add(const struct hist_args *a, u64 cell, u64 low, u64 high) {
  u64 *amount = (u64 *)a->amounts + 2 * cell;
  if (low) {
    u64 before = atomicAdd(amount, low);
    high += before + low < before;
  }
  if (high) atomicAdd(amount + 1, high);
}

/* value * 2^shift added to a 128-bit number; shift is a constant from 0 to 63. */
HD_DEVICE void wide_add(u64 *low, u64 *high, i64 value, int shift) {
  u64 part = (u64)value << shift;
  *low += part;
  *high += (u64)(shift ? value >> (64 - shift) : value >> 63) + (*low < part);
}

/* A cell's digits added to its sum. */
HD_DEVICE void digits_flush(const struct hist_args *a, const u32 *digits, u32 stride, u64 cell) {
  u64 low = 0, high = 0;
  wide_add(&low, &high, (i32)digits[0], 61);
  wide_add(&low, &high, (i32)digits[stride], 32);
#if DIGITS == 3
  wide_add(&low, &high, (i32)digits[2 * stride], 0);
#endif
  amount_add(a, cell, low, high);
}

/* The whole of a weight added to a cell's sum. */
HD_DEVICE void weight_add(const struct hist_args *a, u64 cell, const struct fixed *w) {
  u64 low = 0, high = 0;
  const i64 sign = w->negative ? -1 : 1;
  wide_add(&low, &high, sign * w->digit[0], 61);
  wide_add(&low, &high, sign * w->digit[1], 32);
  wide_add(&low, &high, sign * w->rest, 0);
  amount_add(a, cell, low, high);
}

/* 1 or -1 if the addition overflowed, else 0. */
HD_DEVICE i32 digit_add(u32 *digit, u32 value) {
  u32 before = atomicAdd(digit, value), after = before + value;
  i32 overflowed = (i32)((before ^ after) & (value ^ after)) >> 31;
  return overflowed & ((i32)value >> 31 | 1);
}

/* digits[k * stride] is digit k of the cell, number `cell` of the result. */
HD_DEVICE void digits_add(const struct hist_args *a, u32 *digits, u32 stride, u64 cell,
                          const struct fixed *w) {
  const u32 sign = w->negative ? ~0u : 0u;
  const i64 rest = w->negative ? -(i64)w->rest : (i64)w->rest;
  u32 d0 = (w->digit[0] ^ sign) - sign, d1 = (w->digit[1] ^ sign) - sign;
#if DIGITS == 3
  if (rest) { /* its lower 32 bits as a signed number, and what that leaves */
    i32 d2 = (i32)rest;
    d1 += (u32)((rest - d2) >> 32) + (u32)digit_add(digits + 2 * stride, (u32)d2);
  }
#else
  if (rest) amount_add(a, cell, (u64)rest, (u64)(rest >> 63));
#endif
  if (d1) d0 += (u32)digit_add(digits + stride, d1) * 8u;
  if (d0) {
    i32 carry = digit_add(digits, d0);
    if (carry) atomicAdd((u64 *)a->amounts + 2 * cell + 1, (u64)((i64)carry * (1ll << 29)));
  }
}

#endif
