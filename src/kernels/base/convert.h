/* convert.h - a total rounded once to the type that a result has
 *
 * Result   store_value_*(value, type, to)  a u64, i64, f32 or f64 as an element of `type` at `to`
 *          total_value(t, none)            a total as such a value; keys back to floats, NaN canonical
 *          store_total(t, type, to)        the two together, for totals that are numbers
 * Defines  as operator.h
 * Method   `type` may be a constant, then one case is left. Every float is an exact f64, every
 *          integer exact; the one rounding is in the store. An integer beyond 2^53 on its way to a
 *          16-bit float goes through f64 rounded to odd.
 * Limits   `to` is aligned to its element; a float value goes only to float types
 * Source   src/order/convert.c and src/order/float_bits.h, whose bits these are */
#ifndef HEDDLE_KERNELS_BASE_CONVERT_H
#define HEDDLE_KERNELS_BASE_CONVERT_H

#include "operator.h"

/* x rounded once to a binary format of `fraction` explicit bits whose least normal exponent is
 * `least`, as its bits without the sign; infinity where it overflows past exponent `most`. */
HD_DEVICE u32 narrow_magnitude(f64 x, int fraction, int least, int most, u32 infinity) {
  u64 bits = bits_of_f64(x) & HD_MOST_64;
  int exponent = (int)(bits >> 52) - 1023;
  u64 mantissa = (bits & ((1ull << 52) - 1)) | (1ull << 52);
  if (exponent > most) return infinity;
  int below = exponent < least ? least - exponent : 0;
  int drop = 52 - fraction + below;
  if (drop > 53) return 0; /* under half of the least subnormal, zero and f64 subnormals too */
  u64 half = 1ull << (drop - 1), rest = mantissa & ((half << 1) - 1);
  u64 kept = mantissa >> drop;
  kept += rest > half || (rest == half && (kept & 1));
  /* Adding the fraction with its leading bit lets a carry move on into the exponent. */
  u32 biased = below ? 0u : (u32)(exponent - least);
  return (biased << fraction) + (u32)kept;
}

HD_DEVICE u16 f16_of_f64(f64 x) {
  if (x != x) return HD_NAN_F16;
  u32 sign = (u32)(bits_of_f64(x) >> 63) << 15;
  return (u16)(sign | narrow_magnitude(x, 10, -14, 15, 0x7c00));
}
HD_DEVICE u16 bf16_of_f64(f64 x) {
  if (x != x) return HD_NAN_BF16;
  u32 sign = (u32)(bits_of_f64(x) >> 63) << 15;
  return (u16)(sign | narrow_magnitude(x, 7, -126, 127, 0x7f80));
}

/* The same from f32, in few operations. */
HD_DEVICE u16 narrow_f16(f32 x) { return x == x ? f16_of_f32(x) : (u16)HD_NAN_F16; }
HD_DEVICE u16 narrow_bf16(f32 x) {
  u32 bits = bits_of_f32(x);
  return x == x ? (u16)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16) : (u16)HD_NAN_BF16;
}

/* ---- stores -------------------------------------------------------------------------------- */

HD_DEVICE void store_value_f32(f32 x, int type, void *to) {
  switch (type) {
  case HD_F16: *(u16 *)to = narrow_f16(x); break;
  case HD_BF16: *(u16 *)to = narrow_bf16(x); break;
  case HD_F32: *(f32 *)to = canonical_f32(x); break;
  default: *(f64 *)to = canonical_f64((f64)x); break;
  }
}

HD_DEVICE void store_value_f64(f64 x, int type, void *to) {
  switch (type) {
  case HD_F16: *(u16 *)to = f16_of_f64(x); break;
  case HD_BF16: *(u16 *)to = bf16_of_f64(x); break;
  case HD_F32: *(f32 *)to = canonical_f32((f32)x); break;
  default: *(f64 *)to = canonical_f64(x); break;
  }
}

/* An f64 whose last bit is set if anything was lost. */
HD_DEVICE f64 round_to_odd(u64 magnitude) {
  int shift = magnitude >> 53 ? 11 : 0;
  u64 kept = magnitude >> shift;
  if (shift && magnitude & 0x7ff) kept |= 1;
  return (f64)kept * (shift ? 2048.0 : 1.0);
}

/* The bits of an integer, of which is_signed tells how they are meant. */
HD_DEVICE void store_value_integer(u64 x, bool is_signed, int type, void *to) {
  bool negative = is_signed && (i64)x < 0;
  switch (type) {
  case HD_U8:
  case HD_I8: *(u8 *)to = (u8)x; break;
  case HD_U16:
  case HD_I16: *(u16 *)to = (u16)x; break;
  case HD_U32:
  case HD_I32: *(u32 *)to = (u32)x; break;
  case HD_U64:
  case HD_I64: *(u64 *)to = x; break;
  case HD_F32: *(f32 *)to = is_signed ? (f32)(i64)x : (f32)x; break;
  case HD_F64: *(f64 *)to = is_signed ? (f64)(i64)x : (f64)x; break;
  default: {
    f64 odd = round_to_odd(negative ? 0 - x : x);
    if (negative) odd = -odd;
    *(u16 *)to = type == HD_F16 ? f16_of_f64(odd) : bf16_of_f64(odd);
  }
  }
}

/* ---- totals that are numbers --------------------------------------------------------------- */

#if TOTAL_KIND == HD_TOTAL_KEY32
HD_DEVICE f32 total_value(total key, bool *none) {
  const bool least = HEDDLE_OP == HD_OP_MIN;
  *none = key == (least ? HD_MOST_32 : HD_LEAST_32);
  if (*none) return f32_of_bits(least ? 0x7f800000u : 0xff800000u);
  if (key == (least ? HD_LEAST_32 : HD_MOST_32)) return f32_of_bits(HD_NAN_F32);
  return canonical_f32(f32_of_key(key));
}
#elif TOTAL_KIND == HD_TOTAL_KEY64
HD_DEVICE f64 total_value(total key, bool *none) {
  const bool least = HEDDLE_OP == HD_OP_MIN;
  *none = key == (least ? HD_MOST_64 : HD_LEAST_64);
  if (*none) return f64_of_bits(least ? 0x7ffull << 52 : 0xfffull << 52);
  if (key == (least ? HD_LEAST_64 : HD_MOST_64)) return f64_of_bits(HD_NAN_F64);
  return canonical_f64(f64_of_key(key));
}
#elif TOTAL_KIND < HD_TOTAL_ARG
HD_DEVICE total total_value(total t, bool *none) {
  *none = false; /* whether there is no result: only extremes can tell */
  return t;
}
#endif

#if TOTAL_KIND < HD_TOTAL_ARG
/* *to = t as an element of `type`; false if t is an extreme of no float (infinity is stored). */
HD_DEVICE bool store_total(total t, int type, void *to) {
  bool none;
#if TOTAL_KIND == HD_TOTAL_F32 || TOTAL_KIND == HD_TOTAL_KEY32
  store_value_f32(total_value(t, &none), type, to);
#elif TOTAL_KIND == HD_TOTAL_F64 || TOTAL_KIND == HD_TOTAL_KEY64
  store_value_f64(total_value(t, &none), type, to);
#else
  const bool is_signed = HD_TYPE_IS_SIGNED(HEDDLE_TYPE) && TOTAL_KIND != HD_TOTAL_BOOL;
  t = total_value(t, &none);
  store_value_integer(is_signed ? (u64)(i64)t : (u64)t, is_signed, type, to);
#endif
  return !none;
}
#endif

/* ---- the result of a whole fold ------------------------------------------------------------ */

#if TOTAL_KIND == HD_TOTAL_MOMENTS
/* The layout of heddle_description. */
struct description {
  u64 size, count, nan, infinite;
  f64 min, max, sum, mean, variance, skewness;
};
HD_DEVICE void store_description(total m, u64 count, struct description *to) {
  const f64 nan = f64_of_bits(HD_NAN_F64);
  bool lost = m.n == 0 || (m.nan && !HEDDLE_NAN);
  f64 variance = canonical_f64(m.m2 / m.n);
  bool flat = lost || variance == 0;
  to->size = sizeof *to;
  to->count = count;
  to->nan = m.nan;
  to->infinite = m.infinite;
  to->min = lost ? nan : f64_of_key(m.min_key);
  to->max = lost ? nan : f64_of_key(m.max_key);
  to->sum = m.n == 0 ? 0.0 : canonical_f64(m.sum);
  to->mean = lost ? nan : canonical_f64(m.mean);
  to->variance = lost ? nan : variance;
  to->skewness = flat ? nan : canonical_f64((m.m3 / m.n) / (variance * sqrt(variance)));
}
#endif

#endif
