/* vec_scan_avx2.h - the scan's words for AVX2; their meaning is in vec_scan_avx512.h */
#define VEC_STREAMS
static inline void stream_lines(char *line, const char *stage, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32)
    _mm256_stream_si256((__m256i *)(void *)(line + i),
                        _mm256_load_si256((const __m256i *)(const void *)(stage + i)));
}
static inline void stream_fence(void) { _mm_sfence(); }
static inline void store_f32_f16(void *p, vf32 v) {
  _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
}
