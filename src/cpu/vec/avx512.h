/* avx512.h - AVX-512 F, BW, DQ, VL, CD: 64-byte vectors */
#include <immintrin.h>

#define VEC_BYTES 64
#define VEC_ISA "avx512"
#include "types.h"
#include "widen_avx512.h"

#define VEC_HAS_WIDENING
#define VEC_HAS_F16
#define VEC_HAS_ORDER
#define VEC_HAS_KEYS
#include "vec.h"

static inline vf32 load_f16_f32(const void *p) {
  return (vf32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)));
}

static inline vu8 lesser_u8(vu8 a, vu8 b) { return (vu8)_mm512_min_epu8((__m512i)a, (__m512i)b); }
static inline vu8 greater_u8(vu8 a, vu8 b) { return (vu8)_mm512_max_epu8((__m512i)a, (__m512i)b); }
static inline vu16 lesser_u16(vu16 a, vu16 b) {
  return (vu16)_mm512_min_epu16((__m512i)a, (__m512i)b);
}
static inline vu16 greater_u16(vu16 a, vu16 b) {
  return (vu16)_mm512_max_epu16((__m512i)a, (__m512i)b);
}
static inline vu32 lesser_u32(vu32 a, vu32 b) {
  return (vu32)_mm512_min_epu32((__m512i)a, (__m512i)b);
}
static inline vu32 greater_u32(vu32 a, vu32 b) {
  return (vu32)_mm512_max_epu32((__m512i)a, (__m512i)b);
}
static inline vu64 lesser_u64(vu64 a, vu64 b) {
  return (vu64)_mm512_min_epu64((__m512i)a, (__m512i)b);
}
static inline vu64 greater_u64(vu64 a, vu64 b) {
  return (vu64)_mm512_max_epu64((__m512i)a, (__m512i)b);
}
static inline vi8 lesser_i8(vi8 a, vi8 b) { return (vi8)_mm512_min_epi8((__m512i)a, (__m512i)b); }
static inline vi8 greater_i8(vi8 a, vi8 b) { return (vi8)_mm512_max_epi8((__m512i)a, (__m512i)b); }
static inline vi16 lesser_i16(vi16 a, vi16 b) {
  return (vi16)_mm512_min_epi16((__m512i)a, (__m512i)b);
}
static inline vi16 greater_i16(vi16 a, vi16 b) {
  return (vi16)_mm512_max_epi16((__m512i)a, (__m512i)b);
}
static inline vi32 lesser_i32(vi32 a, vi32 b) {
  return (vi32)_mm512_min_epi32((__m512i)a, (__m512i)b);
}
static inline vi32 greater_i32(vi32 a, vi32 b) {
  return (vi32)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
static inline vi64 lesser_i64(vi64 a, vi64 b) {
  return (vi64)_mm512_min_epi64((__m512i)a, (__m512i)b);
}
static inline vi64 greater_i64(vi64 a, vi64 b) {
  return (vi64)_mm512_max_epi64((__m512i)a, (__m512i)b);
}

static inline vi32 key_f32(vf32 x, i32 nan) {
  vi32 bits = (vi32)x, key = bits ^ (vi32)((vu32)(bits >> 31) >> 1);
  __mmask16 is_nan = _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);
  return (vi32)_mm512_mask_mov_epi32((__m512i)key, is_nan, _mm512_set1_epi32(nan));
}
static inline vi64 key_f64(vf64 x, i64 nan) {
  vi64 bits = (vi64)x, key = bits ^ (vi64)((vu64)(bits >> 63) >> 1);
  __mmask8 is_nan = _mm512_cmp_pd_mask((__m512d)x, (__m512d)x, _CMP_UNORD_Q);
  return (vi64)_mm512_mask_mov_epi64((__m512i)key, is_nan, _mm512_set1_epi64(nan));
}
