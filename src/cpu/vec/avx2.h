/* avx2.h - AVX2, FMA and F16C: 32-byte vectors */
#include <immintrin.h>

#define VEC_BYTES 32
#define VEC_ISA "avx2"
#include "types.h"
#include "widen_avx2.h"

#define VEC_HAS_WIDENING
#define VEC_HAS_F16
#define VEC_HAS_ORDER
#include "vec.h"

static inline vf32 load_f16_f32(const void *p) {
  return (vf32)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)p)));
}

static inline vu8 lesser_u8(vu8 a, vu8 b) { return (vu8)_mm256_min_epu8((__m256i)a, (__m256i)b); }
static inline vu8 greater_u8(vu8 a, vu8 b) { return (vu8)_mm256_max_epu8((__m256i)a, (__m256i)b); }
static inline vu16 lesser_u16(vu16 a, vu16 b) {
  return (vu16)_mm256_min_epu16((__m256i)a, (__m256i)b);
}
static inline vu16 greater_u16(vu16 a, vu16 b) {
  return (vu16)_mm256_max_epu16((__m256i)a, (__m256i)b);
}
static inline vu32 lesser_u32(vu32 a, vu32 b) {
  return (vu32)_mm256_min_epu32((__m256i)a, (__m256i)b);
}
static inline vu32 greater_u32(vu32 a, vu32 b) {
  return (vu32)_mm256_max_epu32((__m256i)a, (__m256i)b);
}
static inline vi8 lesser_i8(vi8 a, vi8 b) { return (vi8)_mm256_min_epi8((__m256i)a, (__m256i)b); }
static inline vi8 greater_i8(vi8 a, vi8 b) { return (vi8)_mm256_max_epi8((__m256i)a, (__m256i)b); }
static inline vi16 lesser_i16(vi16 a, vi16 b) {
  return (vi16)_mm256_min_epi16((__m256i)a, (__m256i)b);
}
static inline vi16 greater_i16(vi16 a, vi16 b) {
  return (vi16)_mm256_max_epi16((__m256i)a, (__m256i)b);
}
static inline vi32 lesser_i32(vi32 a, vi32 b) {
  return (vi32)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
static inline vi32 greater_i32(vi32 a, vi32 b) {
  return (vi32)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

/* AVX2 has no 64-bit minimum. */
#define VEC_T u64
#include "order_tmpl.h"
#define VEC_T i64
#include "order_tmpl.h"
