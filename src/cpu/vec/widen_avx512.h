/* widen_avx512.h - loads that widen, and conversions to f64, by single AVX-512 instructions */
static inline vu32 load_u8_u32(const void *p) {
  return (vu32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vi32 load_i8_i32(const void *p) {
  return (vi32)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vu32 load_u16_u32(const void *p) {
  return (vu32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
}
static inline vi32 load_i16_i32(const void *p) {
  return (vi32)_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)p));
}
static inline vu64 load_u8_u64(const void *p) {
  return (vu64)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vi64 load_i8_i64(const void *p) {
  return (vi64)_mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vu64 load_u16_u64(const void *p) {
  return (vu64)_mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vi64 load_i16_i64(const void *p) {
  return (vi64)_mm512_cvtepi16_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vu64 load_u32_u64(const void *p) {
  return (vu64)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)p));
}
static inline vi64 load_i32_i64(const void *p) {
  return (vi64)_mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_u8_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_i8_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_u16_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)));
}
static inline vf64 load_i16_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)p)));
}
static inline vf64 load_i32_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_u32_f64(const void *p) {
  return (vf64)_mm512_cvtepu32_pd(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_u64_f64(const void *p) {
  return (vf64)_mm512_cvtepu64_pd(_mm512_loadu_si512(p));
}
static inline vf64 load_i64_f64(const void *p) {
  return (vf64)_mm512_cvtepi64_pd(_mm512_loadu_si512(p));
}
static inline vf64 load_f32_f64(const void *p) {
  return (vf64)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)p));
}
