/* together_x86.c - eight elements are shuffled by a table of 256 orders, or, of small ones, a register of AVX-512
 * is compressed, and stored whole: compressing stores are slow on some processors */
#include "together.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "isa.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")))
#define AVX512_INLINE static inline AVX512 __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX2_INLINE static inline AVX2 __attribute__((always_inline))

/* Bytes that are fetched, to the second-level cache: what takes a piece of the elements would leave memory idle
 * meanwhile, and in the first level the piece itself would make room. */
enum { AHEAD = 8 * 1024 };

/* Of each mask of eight the places of its bits, lowest first; then 0. */
static uint8_t places[256][8];
/* Of each mask of four those of their halves. */
static uint32_t halves[16][8];

static void make_places(void) {
  for (unsigned mask = 0; mask < 256; mask++)
    for (unsigned bit = 0, n = 0; bit < 8; bit++)
      if (mask >> bit & 1) places[mask][n++] = (uint8_t)bit;
  for (unsigned mask = 0; mask < 16; mask++)
    for (unsigned k = 0; k < 4; k++) {
      halves[mask][2 * k] = 2u * places[mask][k];
      halves[mask][2 * k + 1] = 2u * places[mask][k] + 1;
    }
}

/* ---- by tables ------------------------------------------------------------------------------- */

AVX2_INLINE __m128i places_of(uint64_t mask) {
  return _mm_loadl_epi64((const __m128i *)(const void *)places[mask]);
}

AVX2_INLINE char *shuffle_1(const char *from, uint64_t mask, char *to) {
  const __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)from);
  _mm_storel_epi64((__m128i *)(void *)to, _mm_shuffle_epi8(v, places_of(mask)));
  return to + _mm_popcnt_u64(mask);
}

AVX2_INLINE char *shuffle_2(const char *from, uint64_t mask, char *to) {
  const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)from), order = places_of(mask);
  const __m128i first = _mm_add_epi8(order, order), second = _mm_add_epi8(first, _mm_set1_epi8(1));
  const __m128i bytes = _mm_unpacklo_epi8(first, second);
  _mm_storeu_si128((__m128i *)(void *)to, _mm_shuffle_epi8(v, bytes));
  return to + 2 * _mm_popcnt_u64(mask);
}

AVX2_INLINE char *shuffle_4(const char *from, uint64_t mask, char *to) {
  const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
  const __m256i order = _mm256_cvtepu8_epi32(places_of(mask));
  _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(v, order));
  return to + 4 * _mm_popcnt_u64(mask);
}

/* Of four elements. */
AVX2_INLINE char *shuffle_8(const char *from, uint64_t mask, char *to) {
  const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
  const __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)halves[mask]);
  _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(v, order));
  return to + 8 * _mm_popcnt_u64(mask);
}

/* The elements of a word; `bytes` is a constant. */
AVX2_INLINE char *shuffle(const char *from, size_t bytes, uint64_t word, char *to) {
  for (size_t k = 0; bytes == 8 && k < 16; k++) {
    if (k % 2 == 0) _mm_prefetch(from + AHEAD + 32 * k, _MM_HINT_T1);
    to = shuffle_8(from + 32 * k, word >> 4 * k & 15, to);
  }
  for (size_t k = 0; bytes < 8 && k < 8; k++) {
    const uint64_t mask = word >> 8 * k & 255;
    if (k * bytes % 8 == 0) _mm_prefetch(from + AHEAD + 8 * k * bytes, _MM_HINT_T1);
    if (bytes == 1) to = shuffle_1(from + 8 * k, mask, to);
    if (bytes == 2) to = shuffle_2(from + 16 * k, mask, to);
    if (bytes == 4) to = shuffle_4(from + 32 * k, mask, to);
  }
  return to;
}

/* Whether a word is all or none, which is then done. */
AVX2_INLINE bool take_whole(const char *from, size_t bytes, uint64_t word, char **to) {
  if (word && word != UINT64_MAX) return false;
  if (word) memcpy(*to, from, TOGETHER_WORD * bytes);
  *to += word ? TOGETHER_WORD * bytes : 0;
  return true;
}

AVX2_INLINE char *shuffle_all(const char *from, size_t bytes, const uint64_t *words, size_t count,
                              char *to) {
  for (size_t w = 0; w < count; w++, from += TOGETHER_WORD * bytes)
    if (!take_whole(from, bytes, words[w], &to)) to = shuffle(from, bytes, words[w], to);
  return to;
}

static AVX2 char *by_avx2(const char *from, size_t bytes, const uint64_t *words, size_t count,
                          char *to) {
  switch (bytes) {
  case 1: return shuffle_all(from, 1, words, count, to);
  case 2: return shuffle_all(from, 2, words, count, to);
  case 4: return shuffle_all(from, 4, words, count, to);
  default: return shuffle_all(from, 8, words, count, to);
  }
}

/* ---- all of them, filled ---------------------------------------------------------------------- */

static AVX2 void fill_by_avx2(const char *from, size_t bytes, const uint64_t *words, size_t count,
                              const void *fill, char *to) {
  const bool wide = bytes == 8;
  const __m256i bits =
      wide ? _mm256_setr_epi64x(1, 2, 4, 8) : _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  int64_t f = 0;
  memcpy(&f, fill, bytes);
  const __m256i filled = wide ? _mm256_set1_epi64x(f) : _mm256_set1_epi32((int)f);
  const size_t step = sizeof bits / bytes;
  for (size_t i = 0; i < count * TOGETHER_WORD; i += step, from += sizeof bits, to += sizeof bits) {
    const uint64_t mask = words[i / TOGETHER_WORD] >> i % TOGETHER_WORD;
    const __m256i all = wide ? _mm256_set1_epi64x((int64_t)mask) : _mm256_set1_epi32((int)mask);
    const __m256i own = _mm256_and_si256(all, bits);
    const __m256i keep = wide ? _mm256_cmpeq_epi64(own, bits) : _mm256_cmpeq_epi32(own, bits);
    const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm_prefetch(from + AHEAD, _MM_HINT_T1);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_blendv_epi8(filled, v, keep));
  }
}

static AVX512 void fill_by_avx512(const char *from, size_t bytes, const uint64_t *words,
                                  size_t count, const void *fill, char *to) {
  int64_t f = 0;
  memcpy(&f, fill, bytes);
  const __m512i filled = bytes == 8 ? _mm512_set1_epi64(f) : _mm512_set1_epi32((int)f);
  const size_t step = sizeof filled / bytes;
  for (size_t i = 0; i < count * TOGETHER_WORD;
       i += step, from += sizeof filled, to += sizeof filled) {
    const uint64_t mask = words[i / TOGETHER_WORD] >> i % TOGETHER_WORD;
    const __m512i v = bytes == 8 ? _mm512_mask_loadu_epi64(filled, (__mmask8)mask, from)
                                 : _mm512_mask_loadu_epi32(filled, (__mmask16)mask, from);
    _mm_prefetch(from + AHEAD, _MM_HINT_T1);
    _mm512_storeu_si512(to, v);
  }
}

/* ---- AVX-512 --------------------------------------------------------------------------------- */

AVX512_INLINE char *compress_1(const char *from, uint64_t mask, char *to) {
  const __m512i v = _mm512_loadu_si512(from);
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi8((__mmask64)mask, v));
  return to + _mm_popcnt_u64(mask);
}

AVX512_INLINE char *compress_2(const char *from, uint64_t mask, char *to) {
  const __m512i v = _mm512_loadu_si512(from);
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi16((__mmask32)mask, v));
  return to + 2 * _mm_popcnt_u64(mask);
}

/* Eight wide elements, by the table. */
AVX512_INLINE char *shuffle_wide(const char *from, uint64_t mask, char *to) {
  const __m512i v = _mm512_loadu_si512(from);
  const __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)places[mask]);
  _mm512_storeu_si512(to, _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(order), v));
  return to + 8 * _mm_popcnt_u64(mask);
}

AVX512_INLINE char *compress_all(const char *from, size_t bytes, const uint64_t *words,
                                 size_t count, char *to) {
  for (size_t w = 0; w < count; w++, from += TOGETHER_WORD * bytes) {
    const uint64_t word = words[w];
    if (take_whole(from, bytes, word, &to)) continue;
    if (bytes == 1) to = compress_1(from, word, to);
    if (bytes == 2) to = compress_2(from + 64, word >> 32, compress_2(from, word & UINT32_MAX, to));
    for (size_t k = 0; bytes == 8 && k < 8; k++) {
      _mm_prefetch(from + AHEAD + 64 * k, _MM_HINT_T1);
      to = shuffle_wide(from + 64 * k, word >> 8 * k & 255, to);
    }
  }
  return to;
}

static AVX512 char *by_avx512(const char *from, size_t bytes, const uint64_t *words, size_t count,
                              char *to) {
  switch (bytes) {
  case 1: return compress_all(from, 1, words, count, to);
  case 2: return compress_all(from, 2, words, count, to);
  case 4: return by_avx2(from, 4, words, count, to);
  default: return compress_all(from, 8, words, count, to);
  }
}

static __attribute__((target("popcnt"))) size_t count_bits(const uint64_t *words, size_t count) {
  size_t total = 0;
  for (size_t w = 0; w < count; w++) total += (size_t)_mm_popcnt_u64(words[w]);
  return total;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static const struct together_kernels avx512 = {by_avx512, fill_by_avx512, count_bits},
                                     avx2 = {by_avx2, fill_by_avx2, count_bits};
static const struct together_kernels *chosen;

static void choose(void) {
  make_places();
  if (isa_has_avx2()) chosen = &avx2;
  if (isa_has_avx512() && __builtin_cpu_supports("avx512vbmi2")) chosen = &avx512;
}

const struct together_kernels *together_by_vectors(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  return pthread_once(&once, choose) ? NULL : chosen;
}

#else
const struct together_kernels *together_by_vectors(void) { return NULL; }
#endif
