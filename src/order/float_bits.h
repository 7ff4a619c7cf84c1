/* float_bits.h - f16 and bf16 against f32 and f64, canonical NaN, order-preserving keys
 *
 * Every narrowing rounds once, to nearest even, from the type it is given. Integers only, so that
 * the bits do not hang on the compiler's idea of a half type. C and CUDA C++ both read it. */
#ifndef HEDDLE_ORDER_FLOAT_BITS_H
#define HEDDLE_ORDER_FLOAT_BITS_H

#include "basic.h"

/* Rule 12: the one NaN that leaves the library. */
#define HD_NAN_F16 0x7e00u
#define HD_NAN_BF16 0x7fc0u
#define HD_NAN_F32 0x7fc00000u
#define HD_NAN_F64 0x7ff8000000000000ull
HD_FUNCTION f32 hd_canonical_f32(f32 x) { return x == x ? x : hd_f32_of_bits(HD_NAN_F32); }
HD_FUNCTION f64 hd_canonical_f64(f64 x) { return x == x ? x : hd_f64_of_bits(HD_NAN_F64); }

HD_FUNCTION f32 hd_f32_from_bf16(bf16 b) { return hd_f32_of_bits((u32)b << 16); }

HD_FUNCTION f32 hd_f32_from_f16(f16 h) {
  u32 sign = (u32)(h & 0x8000) << 16, magnitude = h & 0x7fffu;
  if (magnitude >= 0x7c00) return hd_f32_of_bits(sign | (magnitude << 13) | 0x7f800000u);
  if (magnitude >= 0x400) return hd_f32_of_bits(sign | ((magnitude << 13) + (112u << 23)));
  f32 small = (f32)magnitude * (1 / 16777216.0f); /* exact */
  return sign ? -small : small;
}

/* x rounded once to a binary format of `fraction` explicit bits whose least normal exponent is
 * `least`, as its bits without the sign; infinity where it overflows past exponent `most`. */
HD_FUNCTION u32 hd_narrow_magnitude(f64 x, int fraction, int least, int most, u32 infinity) {
  u64 bits = hd_bits_f64(x) & (u64)HD_I64_MAX;
  int exponent = (int)(bits >> 52) - 1023;
  u64 mantissa = (bits & (((u64)1 << 52) - 1)) | ((u64)1 << 52);
  if (exponent > most) return infinity;
  int below = exponent < least ? least - exponent : 0;
  int drop = 52 - fraction + below;
  if (drop > 53) return 0; /* under half of the least subnormal, zero and f64 subnormals too */
  u64 half = (u64)1 << (drop - 1), rest = mantissa & ((half << 1) - 1);
  u64 kept = mantissa >> drop;
  kept += rest > half || (rest == half && (kept & 1));
  /* Adding the fraction with its leading bit lets a carry move on into the exponent. */
  u32 biased = below ? 0u : (u32)(exponent - least);
  return (biased << fraction) + (u32)kept;
}

HD_FUNCTION f16 hd_f16_from_f64(f64 x) {
  if (x != x) return HD_NAN_F16;
  u32 sign = (u32)(hd_bits_f64(x) >> 63) << 15;
  return (f16)(sign | hd_narrow_magnitude(x, 10, -14, 15, 0x7c00));
}

HD_FUNCTION bf16 hd_bf16_from_f64(f64 x) {
  if (x != x) return HD_NAN_BF16;
  u32 sign = (u32)(hd_bits_f64(x) >> 63) << 15;
  return (bf16)(sign | hd_narrow_magnitude(x, 7, -126, 127, 0x7f80));
}

/* An f64 whose last bit is set if anything was lost of an integer, so that a second rounding, to 16
 * bits, is as good as a single one. */
HD_FUNCTION f64 hd_round_to_odd(u64 magnitude) {
  int shift = magnitude >> 53 ? 11 : 0;
  u64 kept = magnitude >> shift;
  if (shift && magnitude & 0x7ff) kept |= 1;
  return (f64)kept * (shift ? 2048.0 : 1.0);
}

/* Keys that order as the floats do, -0.0 below +0.0; and back. */
HD_FUNCTION i32 hd_key_of_f32(f32 x) {
  i32 b = (i32)hd_bits_f32(x);
  return b ^ ((b >> 31) & 0x7fffffff);
}
HD_FUNCTION i64 hd_key_of_f64(f64 x) {
  i64 b = (i64)hd_bits_f64(x);
  return b ^ ((b >> 63) & HD_I64_MAX);
}
HD_FUNCTION f32 hd_f32_of_key(i32 k) { return hd_f32_of_bits((u32)(k ^ ((k >> 31) & 0x7fffffff))); }
HD_FUNCTION f64 hd_f64_of_key(i64 k) { return hd_f64_of_bits((u64)(k ^ ((k >> 63) & HD_I64_MAX))); }

#endif
