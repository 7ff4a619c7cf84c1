/* vec_avx2.h - AVX2, FMA and F16C: 32-byte vectors */
#include <immintrin.h>

#define VEC_BYTES 32
#define VEC_ISA "avx2"
#define VEC_HAS_F16
#include "vec.h"

static inline vf32 load_f16_f32(const void *p) {
  return (vf32)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)p)));
}
