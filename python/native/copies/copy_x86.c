/* copy_x86.c - squares of a cache line of columns, whose lines are read whole, and once */
#include "copy.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#include <pthread.h>

#include "isa.h"

enum { LINE = 64 /* bytes of a cache line */ };

#define AVX512 __attribute__((target("avx512f")))
#define AVX512_INLINE static inline AVX512 __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline AVX2 __attribute__((always_inline))

/* ---- AVX-512: registers are lines -------------------------------------------------------------- */

static AVX512 void line_8_by_avx512(char *to, ptrdiff_t to_row, const char *from,
                                    ptrdiff_t column) {
  enum { SIDE = 8 };
  __m512i v[SIDE], pair[SIDE];
  for (ptrdiff_t k = 0; k < SIDE; k++) v[k] = _mm512_loadu_si512(from + k * column);
  for (int k = 0; k < SIDE; k += 2) {
    pair[k] = _mm512_unpacklo_epi64(v[k], v[k + 1]);
    pair[k + 1] = _mm512_unpackhi_epi64(v[k], v[k + 1]);
  }
  for (ptrdiff_t k = 0; k < 2; k++) { /* rows k, k + 2, k + 4, k + 6 */
    const __m512i a = _mm512_shuffle_i64x2(pair[k], pair[k + 2], 0x88);
    const __m512i b = _mm512_shuffle_i64x2(pair[k + 4], pair[k + 6], 0x88);
    const __m512i c = _mm512_shuffle_i64x2(pair[k], pair[k + 2], 0xdd);
    const __m512i d = _mm512_shuffle_i64x2(pair[k + 4], pair[k + 6], 0xdd);
    _mm512_storeu_si512(to + k * to_row, _mm512_shuffle_i64x2(a, b, 0x88));
    _mm512_storeu_si512(to + (k + 2) * to_row, _mm512_shuffle_i64x2(c, d, 0x88));
    _mm512_storeu_si512(to + (k + 4) * to_row, _mm512_shuffle_i64x2(a, b, 0xdd));
    _mm512_storeu_si512(to + (k + 6) * to_row, _mm512_shuffle_i64x2(c, d, 0xdd));
  }
}

static AVX512 void line_4_by_avx512(char *to, ptrdiff_t to_row, const char *from,
                                    ptrdiff_t column) {
  enum { SIDE = 16 };
  __m512i v[SIDE], four[SIDE];
  for (ptrdiff_t k = 0; k < SIDE; k++) v[k] = _mm512_loadu_si512(from + k * column);
  for (int k = 0; k < SIDE;
       k += 4) { /* lane l of four[k + i] is row 4l + i of columns k to k + 3 */
    const __m512i a = _mm512_unpacklo_epi32(v[k], v[k + 1]);
    const __m512i b = _mm512_unpackhi_epi32(v[k], v[k + 1]);
    const __m512i c = _mm512_unpacklo_epi32(v[k + 2], v[k + 3]);
    const __m512i d = _mm512_unpackhi_epi32(v[k + 2], v[k + 3]);
    four[k] = _mm512_unpacklo_epi64(a, c);
    four[k + 1] = _mm512_unpackhi_epi64(a, c);
    four[k + 2] = _mm512_unpacklo_epi64(b, d);
    four[k + 3] = _mm512_unpackhi_epi64(b, d);
  }
  for (ptrdiff_t k = 0; k < 4; k++) { /* rows k, k + 4, k + 8, k + 12 */
    const __m512i a = _mm512_shuffle_i32x4(four[k], four[k + 4], 0x88);
    const __m512i b = _mm512_shuffle_i32x4(four[k + 8], four[k + 12], 0x88);
    const __m512i c = _mm512_shuffle_i32x4(four[k], four[k + 4], 0xdd);
    const __m512i d = _mm512_shuffle_i32x4(four[k + 8], four[k + 12], 0xdd);
    _mm512_storeu_si512(to + k * to_row, _mm512_shuffle_i32x4(a, b, 0x88));
    _mm512_storeu_si512(to + (k + 4) * to_row, _mm512_shuffle_i32x4(c, d, 0x88));
    _mm512_storeu_si512(to + (k + 8) * to_row, _mm512_shuffle_i32x4(a, b, 0xdd));
    _mm512_storeu_si512(to + (k + 12) * to_row, _mm512_shuffle_i32x4(c, d, 0xdd));
  }
}

/* ---- AVX-512: many blocks side by side ------------------------------------------------------------- */

/* 16 bytes of each of four columns, `apart` bytes from one to the next. What an insertion reads takes no turn of
 * the one unit that moves elements between 16 bytes and others. */
AVX512_INLINE __m512i four_columns(const char *from, ptrdiff_t apart) {
  const __m128i *const x0 = (const __m128i *)(const void *)from;
  const __m128i *const x1 = (const __m128i *)(const void *)(from + apart);
  const __m128i *const x2 = (const __m128i *)(const void *)(from + 2 * apart);
  const __m128i *const x3 = (const __m128i *)(const void *)(from + 3 * apart);
  __m512i v = _mm512_castsi128_si512(_mm_loadu_si128(x0));
  v = _mm512_inserti32x4(v, _mm_loadu_si128(x1), 1);
  v = _mm512_inserti32x4(v, _mm_loadu_si128(x2), 2);
  return _mm512_inserti32x4(v, _mm_loadu_si128(x3), 3);
}

AVX512_INLINE void block_8(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  for (ptrdiff_t r = 0; r < 8; r += 2, from += 16) {
    const __m512i a = four_columns(from, 2 * column);
    const __m512i b = four_columns(from + column, 2 * column);
    _mm512_storeu_si512(to + r * to_row, _mm512_unpacklo_epi64(a, b));
    _mm512_storeu_si512(to + (r + 1) * to_row, _mm512_unpackhi_epi64(a, b));
  }
}

AVX512_INLINE void block_4(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  for (ptrdiff_t r = 0; r < 16; r += 4, from += 16) {
    const __m512i v = four_columns(from, 4 * column);
    const __m512i w = four_columns(from + column, 4 * column);
    const __m512i x = four_columns(from + 2 * column, 4 * column);
    const __m512i y = four_columns(from + 3 * column, 4 * column);
    const __m512i a = _mm512_unpacklo_epi32(v, w), b = _mm512_unpackhi_epi32(v, w);
    const __m512i c = _mm512_unpacklo_epi32(x, y), d = _mm512_unpackhi_epi32(x, y);
    _mm512_storeu_si512(to + r * to_row, _mm512_unpacklo_epi64(a, c));
    _mm512_storeu_si512(to + (r + 1) * to_row, _mm512_unpackhi_epi64(a, c));
    _mm512_storeu_si512(to + (r + 2) * to_row, _mm512_unpacklo_epi64(b, d));
    _mm512_storeu_si512(to + (r + 3) * to_row, _mm512_unpackhi_epi64(b, d));
  }
}

static AVX512 void beside_8_by_avx512(char *to, ptrdiff_t to_row, const char *from,
                                      ptrdiff_t column, size_t blocks) {
  for (; blocks; blocks--, to += LINE, from += 8 * column) block_8(to, to_row, from, column);
}

static AVX512 void beside_4_by_avx512(char *to, ptrdiff_t to_row, const char *from,
                                      ptrdiff_t column, size_t blocks) {
  for (; blocks; blocks--, to += LINE, from += 16 * column) block_4(to, to_row, from, column);
}

/* ---- AVX2: halves of lines ---------------------------------------------------------------------- */

/* 16 bytes of one column below 16 of another. */
AVX2_INLINE __m256i two_columns(const char *low, const char *high) {
  const __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)low));
  return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

AVX2_INLINE void put(char *to, __m256i v) { _mm256_storeu_si256((__m256i *)(void *)to, v); }

/* Two rows of four columns. */
AVX2_INLINE void two_rows_8(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  const __m256i a = two_columns(from, from + 2 * column);
  const __m256i b = two_columns(from + column, from + 3 * column);
  put(to, _mm256_unpacklo_epi64(a, b));
  put(to + to_row, _mm256_unpackhi_epi64(a, b));
}

/* Four rows of eight columns. */
AVX2_INLINE void four_rows_4(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  const __m256i v = two_columns(from, from + 4 * column);
  const __m256i w = two_columns(from + column, from + 5 * column);
  const __m256i x = two_columns(from + 2 * column, from + 6 * column);
  const __m256i y = two_columns(from + 3 * column, from + 7 * column);
  const __m256i a = _mm256_unpacklo_epi32(v, w), b = _mm256_unpackhi_epi32(v, w);
  const __m256i c = _mm256_unpacklo_epi32(x, y), d = _mm256_unpackhi_epi32(x, y);
  put(to, _mm256_unpacklo_epi64(a, c));
  put(to + to_row, _mm256_unpackhi_epi64(a, c));
  put(to + 2 * to_row, _mm256_unpacklo_epi64(b, d));
  put(to + 3 * to_row, _mm256_unpackhi_epi64(b, d));
}

static AVX2 void half_8(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  for (ptrdiff_t r = 0; r < 8; r += 2) two_rows_8(to + r * to_row, to_row, from + r * 8, column);
}
static AVX2 void line_8_by_avx2(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  half_8(to, to_row, from, column);
  half_8(to + 32, to_row, from + 4 * column, column);
}

static AVX2 void half_4(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  for (ptrdiff_t r = 0; r < 16; r += 4) four_rows_4(to + r * to_row, to_row, from + r * 4, column);
}
static AVX2 void line_4_by_avx2(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  half_4(to, to_row, from, column);
  half_4(to + 32, to_row, from + 8 * column, column);
}

static AVX2 void beside_8_by_avx2(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column,
                                  size_t blocks) {
  for (; blocks; blocks--, to += LINE, from += 8 * column) line_8_by_avx2(to, to_row, from, column);
}
static AVX2 void beside_4_by_avx2(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column,
                                  size_t blocks) {
  for (; blocks; blocks--, to += LINE, from += 16 * column)
    line_4_by_avx2(to, to_row, from, column);
}

/* ---- the choice ---------------------------------------------------------------------------------- */

static const struct copy_lines avx512 = {{line_4_by_avx512, half_4, beside_4_by_avx512},
                                         {line_8_by_avx512, half_8, beside_8_by_avx512}},
                               avx2 = {{line_4_by_avx2, half_4, beside_4_by_avx2},
                                       {line_8_by_avx2, half_8, beside_8_by_avx2}};
static const struct copy_lines *chosen;

static void choose(void) {
  if (isa_has_avx2()) chosen = &avx2;
  if (isa_has_avx512()) chosen = &avx512;
}

const struct copy_lines *copy_lines_by_vectors(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  return pthread_once(&once, choose) ? NULL : chosen;
}

#else
const struct copy_lines *copy_lines_by_vectors(void) { return NULL; }
#endif
