/* widen_avx2.h - loads that widen, and conversions to f64, by AVX2's instructions
 *
 * 64-bit integers to f64 have no instruction here: the compiler's conversion is exact, one lane at
 * a time. */
#include <string.h>

static inline __m128i four_bytes(const void *p) {
  i32 word;
  memcpy(&word, p, sizeof word);
  return _mm_cvtsi32_si128(word);
}
static inline vu32 load_u8_u32(const void *p) {
  return (vu32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
}
static inline vi32 load_i8_i32(const void *p) {
  return (vi32)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p));
}
static inline vu32 load_u16_u32(const void *p) {
  return (vu32)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vi32 load_i16_i32(const void *p) {
  return (vi32)_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vu64 load_u8_u64(const void *p) { return (vu64)_mm256_cvtepu8_epi64(four_bytes(p)); }
static inline vi64 load_i8_i64(const void *p) { return (vi64)_mm256_cvtepi8_epi64(four_bytes(p)); }
static inline vu64 load_u16_u64(const void *p) {
  return (vu64)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vi64 load_i16_i64(const void *p) {
  return (vi64)_mm256_cvtepi16_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vu64 load_u32_u64(const void *p) {
  return (vu64)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vi64 load_i32_i64(const void *p) {
  return (vi64)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vf64 load_u8_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepu8_epi32(four_bytes(p)));
}
static inline vf64 load_i8_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepi8_epi32(four_bytes(p)));
}
static inline vf64 load_u16_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_i16_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_i32_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)p));
}
/* 2^52 with the integer in its low bits, less 2^52: exact. */
static inline vf64 load_u32_f64(const void *p) {
  vu64 bits = load_u32_u64(p) | UINT64_C(0x4330000000000000);
  return (vf64)bits - 0x1p52;
}
static inline vf64 load_u64_f64(const void *p) {
  vu64 v;
  memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, vf64);
}
static inline vf64 load_i64_f64(const void *p) {
  vi64 v;
  memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, vf64);
}
static inline vf64 load_f32_f64(const void *p) {
  return (vf64)_mm256_cvtps_pd(_mm_loadu_ps((const float *)p));
}
