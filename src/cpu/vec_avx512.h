/* vec_avx512.h - AVX-512 F, BW, DQ, VL, CD: 64-byte vectors */
#include <immintrin.h>

#define VEC_BYTES 64
#define VEC_ISA "avx512"
#define VEC_HAS_F16
#include "vec.h"

static inline vf32 load_f16_f32(const void *p) {
  return (vf32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)));
}
