/* scan_avx2.h - the scan's words for AVX2; their meaning is in scan_avx512.h */
#define VEC_STREAMS
static inline void stream_lines(char *line, const char *stage, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32)
    _mm256_stream_si256((__m256i *)(void *)(line + i),
                        _mm256_loadu_si256((const __m256i *)(const void *)(stage + i)));
}
static inline void stream_fence(void) { _mm_sfence(); }
static inline void store_f32_f16(void *p, vf32 v) {
  _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
}
static inline vf32 canonical_f32(vf32 v) {
  __m256 is_nan = _mm256_cmp_ps((__m256)v, (__m256)v, _CMP_UNORD_Q);
  __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(HD_NAN_F32));
  return (vf32)_mm256_blendv_ps((__m256)v, nan, is_nan);
}
static inline vf64 canonical_f64(vf64 v) {
  __m256d is_nan = _mm256_cmp_pd((__m256d)v, (__m256d)v, _CMP_UNORD_Q);
  __m256d nan = _mm256_castsi256_pd(_mm256_set1_epi64x((i64)HD_NAN_F64));
  return (vf64)_mm256_blendv_pd((__m256d)v, nan, is_nan);
}
