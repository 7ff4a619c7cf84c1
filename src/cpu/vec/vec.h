/* vec.h - the vocabulary that kernels are written in: vectors of VEC_BYTES bytes
 *
 * Result   types vf32, vf64, vu8 .. vi64 of VEC_BYTES bytes, loads that convert element types to
 *          accumulator lanes, order-preserving keys of floats, selections by mask.
 * Method   GCC's vector extensions, which gcc and clang share: the same text serves every ISA,
 *          and vec/<isa>.h adds the few words that have no portable form.
 * Limits   includes no intrinsics; VEC_BYTES is 16, 32 or 64 and comes from vec/<isa>.h.
 *
 * load_IN_LANE(p) reads VEC_BYTES / sizeof(LANE) elements of IN at any alignment and gives them
 * as LANEs: exact widening always. */
#ifndef HEDDLE_CPU_VEC_VEC_H
#define HEDDLE_CPU_VEC_VEC_H

#include <math.h>
#include <string.h>

#include "order/float_bits.h"
#include "order/types.h"
#include "types.h"

#include "neighbours.h"
#include "swap.h"

/* Narrow floats are storage only. */
#define VEC_IN EACH(NAME)
#define VEC_LANE EACH(NAME)
#define EACH_WHERE !EACH_IS(FLOAT) || EACH(BITS) >= 32
#define EACH_TEMPLATE "cpu/vec/load_tmpl.h"
#include "order/each_type.h"
#undef VEC_LANE

#define VEC_WIDENS
#define VEC_INT_(family, bits) vec_int_##family##_##bits
#define VEC_INT(family, bits) VEC_INT_(family, bits)
#define vec_int_UNSIGNED_32 u32
#define vec_int_SIGNED_32 i32
#define vec_int_UNSIGNED_64 u64
#define vec_int_SIGNED_64 i64

#define VEC_LANE VEC_INT(EACH(FAMILY), 32)
#define EACH_WHERE !EACH_IS(FLOAT) && EACH(BITS) < 32
#define EACH_TEMPLATE "cpu/vec/load_tmpl.h"
#include "order/each_type.h"
#undef VEC_LANE

#define VEC_LANE VEC_INT(EACH(FAMILY), 64)
#define EACH_WHERE !EACH_IS(FLOAT) && EACH(BITS) < 64
#define EACH_TEMPLATE "cpu/vec/load_tmpl.h"
#include "order/each_type.h"
#undef VEC_LANE

/* Rounded to nearest where 64-bit integers do not fit. */
#define VEC_LANE f64
#define EACH_WHERE !EACH_IS(FLOAT) || EACH(BITS) == 32
#define EACH_TEMPLATE "cpu/vec/load_tmpl.h"
#include "order/each_type.h"
#undef VEC_LANE
#undef VEC_IN
#undef VEC_WIDENS
#undef VEC_INT
#undef VEC_INT_

/* Bits move between types of one size by a cast. */
static inline vf32 load_bf16_f32(const void *p) { return (vf32)(load_u16_u32(p) << 16); }

#ifndef VEC_HAS_BF16_F64
static inline vf64 load_bf16_f64(const void *p) {
  typedef f32 half __attribute__((vector_size(VEC_BYTES / 2)));
  typedef u32 half_bits __attribute__((vector_size(VEC_BYTES / 2)));
  typedef u16 quarter __attribute__((vector_size(VEC_BYTES / 4)));
  quarter q;
  memcpy(&q, p, sizeof q);
  return __builtin_convertvector((half)(__builtin_convertvector(q, half_bits) << 16), vf64);
}
#endif

#ifndef VEC_HAS_F16
/* binary16 by integers: normal numbers move their exponent, subnormal ones are scaled exactly. */
static inline vf32 vec_f16_bits_to_f32(vu32 h) {
  vu32 sign = (h & 0x8000u) << 16;
  vu32 magnitude = h & 0x7fffu;
  vu32 special = (vu32)(magnitude >= 0x7c00u);
  vu32 normal = (magnitude << 13) + (112u << 23) + (special & (112u << 23));
  vf32 small = __builtin_convertvector((vi32)magnitude, vf32) * 0x1p-24f;
  vu32 is_small = (vu32)(magnitude < 0x400u);
  return (vf32)(sign | (is_small & (vu32)small) | (~is_small & normal));
}
static inline vf32 load_f16_f32(const void *p) { return vec_f16_bits_to_f32(load_u16_u32(p)); }
static inline vf64 load_f16_f64(const void *p) {
  f64 lanes[LANES64];
  for (int i = 0; i < LANES64; i++) {
    f16 h;
    memcpy(&h, (const char *)p + 2 * i, sizeof h);
    lanes[i] = hd_f32_from_f16(h);
  }
  return load_f64_f64(lanes);
}
#endif

static inline f32 one_bf16_f32(const void *p) { return hd_f32_from_bf16(one_u16_u16(p)); }
static inline f64 one_bf16_f64(const void *p) { return hd_f32_from_bf16(one_u16_u16(p)); }
static inline f32 one_f16_f32(const void *p) { return hd_f32_from_f16(one_u16_u16(p)); }
static inline f64 one_f16_f64(const void *p) { return hd_f32_from_f16(one_u16_u16(p)); }

/* All ones in the last `bytes` bytes of a vector, zeros before them. */
static inline vu8 vec_last_bytes(size_t bytes) {
  static const u64 window[2 * LANES64] = {
#if VEC_BYTES >= 64
    [LANES64 + 4] = HD_U64_MAX,
    HD_U64_MAX,
    HD_U64_MAX,
    HD_U64_MAX,
#endif
#if VEC_BYTES >= 32
    [LANES64 + 2] = HD_U64_MAX,
    HD_U64_MAX,
#endif
    [LANES64] = HD_U64_MAX,
    HD_U64_MAX
  };
  vu8 v;
  memcpy(&v, (const char *)window + bytes, sizeof v);
  return v;
}

/* mask lanes are 0 or -1 */
static inline vf32 select_f32(vi32 mask, vf32 yes, vf32 no) {
  return (vf32)((mask & (vi32)yes) | (~mask & (vi32)no));
}
static inline vf64 select_f64(vi64 mask, vf64 yes, vf64 no) {
  return (vf64)((mask & (vi64)yes) | (~mask & (vi64)no));
}

/* What the product a * b lost in rounding, exactly: where no bit of it is below f64's range, and with what
 * halves of 26 bits do (Dekker 1971), no operand so large that rounding it to 26 bits overflows. */
#ifndef VEC_HAS_PRODUCT_ERROR
static inline vf64 vec_upper_f64(vf64 a) {
  return (vf64)(((vu64)a + ((u64)1 << 26)) & ~(((u64)1 << 27) - 1));
}
static inline vf64 product_error_f64(vf64 a, vf64 b, vf64 product) {
  const vf64 a1 = vec_upper_f64(a), a0 = a - a1, b1 = vec_upper_f64(b), b0 = b - b1;
  return ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0;
}
#endif

/* v where it is a number, e where it is NaN; e - 0 is e for -0.0, too. */
static inline vf32 keep_f32(vf32 v, f32 e) { return select_f32(v == v, v, e - (vf32){0}); }
static inline vf64 keep_f64(vf64 v, f64 e) { return select_f64(v == v, v, e - (vf64){0}); }

/* x where it is the one, s where it is not: for equal values, -0.0 and +0.0 among them, and for NaN. */
#ifndef VEC_HAS_VALUES
static inline vf32 lesser_f32(vf32 x, vf32 s) { return select_f32(x < s, x, s); }
static inline vf64 lesser_f64(vf64 x, vf64 s) { return select_f64(x < s, x, s); }
static inline vf32 greater_f32(vf32 x, vf32 s) { return select_f32(x > s, x, s); }
static inline vf64 greater_f64(vf64 x, vf64 s) { return select_f64(x > s, x, s); }
#include "least.h"
/* Lanes where a NaN was, and those of a and b with them. */
typedef vi64 vec_nans;
static inline vec_nans nans_f32(vec_nans nans, vf32 a, vf32 b) {
  return nans | (vi64)((a != a) | (b != b));
}
static inline vec_nans nans_f64(vec_nans nans, vf64 a, vf64 b) {
  return nans | (a != a) | (b != b);
}
static inline bool nans_any(vec_nans nans) {
  i64 any = 0;
  for (int k = 0; k < LANES64; k++) any |= nans[k];
  return any != 0;
}
/* marks_i8 to marks_i64: bit k is lane k of a mask. */
#define VEC_T i8
#include "marks_tmpl.h"
#define VEC_T i16
#include "marks_tmpl.h"
#define VEC_T i32
#include "marks_tmpl.h"
#define VEC_T i64
#include "marks_tmpl.h"
#endif

/* bytes_u8 to bytes_u64: to[k] = the lowest bit of lane k; four_bytes_u8 to four_bytes_u64: the same of four
 * vectors, whose lanes are 0, 1 or all ones. */
#define VEC_T EACH(NAME)
#define EACH_WHERE EACH_IS(UNSIGNED)
#define EACH_TEMPLATE "cpu/vec/bytes_tmpl.h"
#include "order/each_type.h"
#undef VEC_T

/* Signed elements as lanes that wrap. */
static inline vu64 load_i8_u64(const void *p) { return (vu64)load_i8_i64(p); }
static inline vu64 load_i16_u64(const void *p) { return (vu64)load_i16_i64(p); }
static inline vu64 load_i32_u64(const void *p) { return (vu64)load_i32_i64(p); }
static inline vu64 load_i64_u64(const void *p) { return (vu64)load_i64_i64(p); }
static inline u64 one_i8_u64(const void *p) { return (u64)one_i8_i64(p); }
static inline u64 one_i16_u64(const void *p) { return (u64)one_i16_i64(p); }
static inline u64 one_i32_u64(const void *p) { return (u64)one_i32_i64(p); }
static inline u64 one_i64_u64(const void *p) { return (u64)one_i64_i64(p); }

#ifndef VEC_HAS_ORDER
#define VEC_T EACH(NAME)
#define EACH_WHERE !EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/vec/order_tmpl.h"
#include "order/each_type.h"
#undef VEC_T
#endif

/* Keys that order as the floats do, -0.0 below +0.0; NaN lanes become `nan`. */
#ifndef VEC_HAS_KEYS
static inline vi32 key_f32(vf32 x, i32 nan) {
  vi32 bits = (vi32)x, key = bits ^ ((bits >> 31) & 0x7fffffff), is_nan = x != x;
  return (key & ~is_nan) | (is_nan & nan);
}
static inline vi64 key_f64(vf64 x, i64 nan) {
  vi64 bits = (vi64)x, key = bits ^ ((bits >> 63) & INT64_MAX), is_nan = x != x;
  return (key & ~is_nan) | (is_nan & nan);
}
#endif
static inline i32 key1_f32(f32 x, i32 nan) { return x == x ? hd_key_of_f32(x) : nan; }
static inline i64 key1_f64(f64 x, i64 nan) { return x == x ? hd_key_of_f64(x) : nan; }

#endif
