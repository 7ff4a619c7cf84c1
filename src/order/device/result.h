/* result.h - a total rounded once to the type that a result has
 *
 * Result   store_value_*(value, type, to)  a u64, i64, f32 or f64 as an element of `type` at `to`
 *          total_value(t, none)            a total as such a value; keys back to floats, NaN
 *          canonical
 *          store_total(t, type, to)        the two together, for totals that are numbers
 *          store_result(t, divisor, type, to)  the same of a fold's result: if HEDDLE_QUOTIENT, t divided
 *                                          by the divisor in f64
 * Defines  as total.h; HEDDLE_QUOTIENT, of sums: 1 or nothing
 * Method   `type` may be a constant, then one case is left. Every float is an exact f64, every
 *          integer exact; the one rounding is in the store. An integer beyond 2^53 on its way to a
 *          16-bit float goes through f64 rounded to odd.
 * Limits   `to` is aligned to its element; a float value goes only to float types
 * Source   src/order/convert.c, whose bits these are */
#ifndef HEDDLE_ORDER_DEVICE_RESULT_H
#define HEDDLE_ORDER_DEVICE_RESULT_H

#include "total.h"

#ifndef HEDDLE_QUOTIENT
#define HEDDLE_QUOTIENT 0
#endif

/* hd_f16_from_f64 and hd_bf16_from_f64 from f32, in few operations. */
HD_DEVICE u16 narrow_f16(f32 x) { return x == x ? f16_of_f32(x) : (u16)HD_NAN_F16; }
HD_DEVICE u16 narrow_bf16(f32 x) {
  u32 bits = hd_bits_f32(x);
  return x == x ? (u16)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16) : (u16)HD_NAN_BF16;
}

/* ---- stores -------------------------------------------------------------------------------- */

HD_DEVICE void store_value_f32(f32 x, int type, void *to) {
  switch (type) {
  case HD_F16: *(u16 *)to = narrow_f16(x); break;
  case HD_BF16: *(u16 *)to = narrow_bf16(x); break;
  case HD_F32: *(f32 *)to = hd_canonical_f32(x); break;
  default: *(f64 *)to = hd_canonical_f64((f64)x); break;
  }
}

HD_DEVICE void store_value_f64(f64 x, int type, void *to) {
  switch (type) {
  case HD_F16: *(u16 *)to = hd_f16_from_f64(x); break;
  case HD_BF16: *(u16 *)to = hd_bf16_from_f64(x); break;
  case HD_F32: *(f32 *)to = hd_canonical_f32((f32)x); break;
  default: *(f64 *)to = hd_canonical_f64(x); break;
  }
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
    f64 odd = hd_round_to_odd(negative ? 0 - x : x);
    if (negative) odd = -odd;
    *(u16 *)to = type == HD_F16 ? hd_f16_from_f64(odd) : hd_bf16_from_f64(odd);
  }
  }
}

/* ---- totals that are numbers --------------------------------------------------------------- */

#if TOTAL_KIND == HD_TOTAL_KEY32
HD_DEVICE f32 total_value(total key, bool *none) {
  return hd_key32_value(key, HEDDLE_OP == HD_OP_MIN, none);
}
#elif TOTAL_KIND == HD_TOTAL_KEY64
HD_DEVICE f64 total_value(total key, bool *none) {
  return hd_key64_value(key, HEDDLE_OP == HD_OP_MIN, none);
}
#elif TOTAL_IS_NUMBER
HD_DEVICE total total_value(total t, bool *none) {
  *none = false; /* whether there is no result: only extremes can tell */
  return t;
}
#endif

#if TOTAL_IS_NUMBER
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

HD_DEVICE bool store_result(total t, f64 divisor, int type, void *to) {
#if HEDDLE_QUOTIENT
#if TOTAL_KIND == HD_TOTAL_U64 && HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  const f64 sum = (f64)(i64)t;
#else
  const f64 sum = (f64)t;
#endif
  store_value_f64(sum / divisor, type, to);
  return true;
#else
  (void)divisor;
  return store_total(t, type, to);
#endif
}
#endif

#endif
