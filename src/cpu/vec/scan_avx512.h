/* scan_avx512.h - the scan's words for AVX-512: stores past the caches, narrowing to f16
 *
 * stream_lines  whole lines of 64 bytes, aligned, from anywhere; the lines are not cached
 * stream_fence  orders them before what this thread stores later
 * canonical_T   NaN made the one that leaves the library */
#define VEC_STREAMS
static inline void stream_lines(char *line, const char *stage, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64)
    _mm512_stream_si512((__m512i *)(void *)(line + i),
                        _mm512_loadu_si512((const void *)(stage + i)));
}
static inline void stream_fence(void) { _mm_sfence(); }
static inline void store_f32_f16(void *p, vf32 v) {
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT));
}

/* NaN made canonical in one instruction: every class of number is taken from v (1), both classes
 * of NaN from the constant (0). */
static inline vf32 canonical_f32(vf32 v) {
  return (vf32)_mm512_fixupimm_ps(_mm512_castsi512_ps(_mm512_set1_epi32(HD_NAN_F32)), (__m512)v,
                                  _mm512_set1_epi32(0x11111100), 0);
}
static inline vf64 canonical_f64(vf64 v) {
  return (vf64)_mm512_fixupimm_pd(_mm512_castsi512_pd(_mm512_set1_epi64((i64)HD_NAN_F64)),
                                  (__m512d)v, _mm512_set1_epi64(0x11111100), 0);
}
