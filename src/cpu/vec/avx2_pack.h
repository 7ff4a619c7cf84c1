/* avx2_pack.h - pack.h's words by AVX2, which looks permutations up (avx2_split.h) */
#ifndef HEDDLE_CPU_VEC_AVX2_PACK_H
#define HEDDLE_CPU_VEC_AVX2_PACK_H

#define VEC_HAS_PACK
enum { pack_step_1 = 8, pack_step_2 = 8, pack_step_4 = 8, pack_step_8 = 4 };
enum { index_step_4 = 8, index_step_8 = 4 };
/* Eight lanes as 16 bits each. */
static inline __m128i pack_halves(__m256i lanes) {
  const __m256i halves = _mm256_packus_epi32(lanes, lanes);
  return _mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0x08));
}
static inline void pack_1(char *to, const char *from, u32 bits) {
  const __m256i v = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
  const __m128i halves = pack_halves(split_moved(v, split_lanes_u32[bits]));
  _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(halves, halves));
}
static inline void pack_2(char *to, const char *from, u32 bits) {
  const __m256i v = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
  _mm_storeu_si128((__m128i *)(void *)to, pack_halves(split_moved(v, split_lanes_u32[bits])));
}
static inline void pack_4(char *to, const char *from, u32 bits) {
  const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
  _mm256_storeu_si256((__m256i *)(void *)to, split_moved(v, split_lanes_u32[bits]));
}
static inline void pack_8(char *to, const char *from, u32 bits) {
  const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
  _mm256_storeu_si256((__m256i *)(void *)to, split_moved(v, split_lanes_u64[bits]));
}
/* The table's digits are the positions. */
static inline __m256i index_lanes(u32 bits) {
  const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  const __m256i digits = _mm256_set1_epi32((int)split_lanes_u32[bits]);
  return _mm256_and_si256(_mm256_srlv_epi32(digits, shifts), _mm256_set1_epi32(7));
}
static inline void index_4(char *to, u64 first, u32 bits) {
  const __m256i at = _mm256_add_epi32(index_lanes(bits), _mm256_set1_epi32((int)(u32)first));
  _mm256_storeu_si256((__m256i *)(void *)to, at);
}
static inline void index_8(char *to, u64 first, u32 bits) {
  const __m256i lanes = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(index_lanes(bits)));
  const __m256i at = _mm256_add_epi64(lanes, _mm256_set1_epi64x((long long)first));
  _mm256_storeu_si256((__m256i *)(void *)to, at);
}

#include "pack.h"

#endif
