/* avx512_pack.h - pack.h's words by AVX-512: compressions */
#ifndef HEDDLE_CPU_VEC_AVX512_PACK_H
#define HEDDLE_CPU_VEC_AVX512_PACK_H

#define VEC_HAS_WITHIN
static inline u64 within_u8(vu8 v, u8 span) {
  return _mm512_cmple_epu8_mask((__m512i)v, _mm512_set1_epi8((char)span));
}
static inline u64 within_u16(vu16 v, u16 span) {
  return _mm512_cmple_epu16_mask((__m512i)v, _mm512_set1_epi16((short)span));
}
static inline u64 within_u32(vu32 v, u32 span) {
  return _mm512_cmple_epu32_mask((__m512i)v, _mm512_set1_epi32((int)span));
}
static inline u64 within_u64(vu64 v, u64 span) {
  return _mm512_cmple_epu64_mask((__m512i)v, _mm512_set1_epi64((long long)span));
}

#define VEC_HAS_PACK
#define VEC_HAS_PACK_16
enum { pack_step_1 = 16, pack_step_2 = 16, pack_step_4 = 16, pack_step_8 = 8, pack_step_16 = 4 };
enum { index_step_4 = 16, index_step_8 = 8 };
static inline void pack_1(char *to, const char *from, u32 bits) {
  const __m512i v = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
  const __m512i packed = _mm512_maskz_compress_epi32((__mmask16)bits, v);
  _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtepi32_epi8(packed));
}
static inline void pack_2(char *to, const char *from, u32 bits) {
  const __m512i v = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from));
  const __m512i packed = _mm512_maskz_compress_epi32((__mmask16)bits, v);
  _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(packed));
}
static inline void pack_4(char *to, const char *from, u32 bits) {
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, _mm512_loadu_si512(from)));
}
static inline void pack_8(char *to, const char *from, u32 bits) {
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)bits, _mm512_loadu_si512(from)));
}
static inline void pack_16(char *to, const char *from, u32 bits) {
  const u32 halves = _pdep_u32(bits, 0x55) * 3;
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)halves, _mm512_loadu_si512(from)));
}
static inline void index_4(char *to, u64 first, u32 bits) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i at = _mm512_add_epi32(lane, _mm512_set1_epi32((int)(u32)first));
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, at));
}
static inline void index_8(char *to, u64 first, u32 bits) {
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  const __m512i at = _mm512_add_epi64(lane, _mm512_set1_epi64((long long)first));
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi64((__mmask8)bits, at));
}

#include "pack.h"

#endif
