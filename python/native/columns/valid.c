/* valid.c - 64 elements at a time, as the bits of a word; without a branch that depends on them, but for
 * words of no null */
#include "valid.h"

#include <string.h>

#include "together.h"

enum { WORD = TOGETHER_WORD, BLOCK = 64 /* words */ };

#define VALID_INLINE static inline __attribute__((always_inline))

/* The n <= 64 bits from bit `at` on. */
VALID_INLINE uint64_t bits_at(const uint8_t *bits, size_t at, size_t n) {
  const uint8_t *p = bits + at / 8;
  const size_t shift = at % 8, bytes = (shift + n + 7) / 8;
  uint64_t word = 0;
  if (bytes >= 8)
    for (size_t k = 0; k < 8; k++) word |= (uint64_t)p[k] << 8 * k;
  else
    for (size_t k = 0; k < bytes; k++) word |= (uint64_t)p[k] << 8 * k;
  word >>= shift;
  if (bytes > 8) word |= (uint64_t)p[8] << (WORD - shift);
  return n < WORD ? word & ((UINT64_C(1) << n) - 1) : word;
}

/* Bit k: whether byte k of eight is 0. The product moves the lowest bit of byte k to bit 56 + k. */
VALID_INLINE uint64_t zeros_of(const uint8_t *p) {
  const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
  uint64_t bytes = 0;
  for (size_t k = 0; k < 8; k++) bytes |= (uint64_t)p[k] << 8 * k;
  const uint64_t other = (((bytes & low) + low) | bytes) >> 7 & UINT64_C(0x0101010101010101);
  return ~(other * UINT64_C(0x0102040810204080) >> 56) & 0xff;
}

/* Bit k: whether element i + k is not null, for k < n <= 64. */
VALID_INLINE uint64_t word_at(const struct valid *v, size_t i, size_t n) {
  uint64_t word = 0;
  size_t k = 0;
  if (v->bits) return bits_at(v->bits, v->offset + i, n);
  for (; v->nulls && k + 8 <= n; k += 8) word |= zeros_of(v->nulls + i + k) << k;
  for (; k < n; k++) word |= (uint64_t)(!v->nulls || !v->nulls[i + k]) << k;
  return word;
}

static size_t left_of(const struct valid *v, size_t i) {
  return v->length - i < WORD ? v->length - i : WORD;
}

/* Words of the elements from i on, which are as many whole ones as there are, up to a block. */
static size_t words_at(const struct valid *v, size_t i, uint64_t *words) {
  const size_t left = (v->length - i) / WORD, count = left < BLOCK ? left : BLOCK;
  for (size_t w = 0; w < count; w++) words[w] = word_at(v, i + w * WORD, WORD);
  return count;
}

size_t valid_count(const struct valid *v) {
  const struct together_kernels *by = together_kernels();
  uint64_t words[BLOCK];
  size_t count = 0, i = 0;
  if (!valid_is_part(v)) return v->length;
  for (size_t n; (n = words_at(v, i, words)) != 0; i += n * WORD) count += by->count(words, n);
  words[0] = word_at(v, i, v->length - i);
  return count + by->count(words, 1);
}

/* ---- together ------------------------------------------------------------------------------------- */

size_t valid_together(const struct valid *v, size_t first, size_t length, const char *from,
                      size_t bytes, char *to) {
  const struct together_kernels *by = together_kernels();
  const struct valid some = {v->bits, v->nulls, v->offset, first + length};
  uint64_t words[BLOCK];
  char *at = to;
  size_t i = first;
  for (size_t n; (n = words_at(&some, i, words)) != 0; i += n * WORD)
    at = by->words(from + i * bytes, bytes, words, n, at);
  const size_t left = some.length - i;
  at = together_rest(from + i * bytes, bytes, word_at(&some, i, left), left, at);
  return (size_t)(at - to) / bytes;
}

void valid_filled(const struct valid *v, size_t first, size_t length, const char *from,
                  size_t bytes, const void *fill, char *to) {
  const struct together_kernels *by = together_kernels();
  const struct valid some = {v->bits, v->nulls, v->offset, first + length};
  uint64_t words[BLOCK];
  size_t i = first;
  for (size_t n; (n = words_at(&some, i, words)) != 0; i += n * WORD)
    by->filled(from + i * bytes, bytes, words, n, fill, to + (i - first) * bytes);
  const uint64_t word = word_at(&some, i, some.length - i);
  for (size_t k = 0; i + k < some.length; k++)
    memcpy(to + (i + k - first) * bytes, word >> k & 1 ? from + (i + k) * bytes : fill, bytes);
}

void valid_bits_together(const struct valid *v, const uint8_t *from, size_t first, char *to) {
  for (size_t i = 0, n; i < v->length; i += n) {
    n = left_of(v, i);
    uint64_t word = word_at(v, i, n), x = bits_at(from, first + i, n);
    for (size_t k = 0; k < n; k++, word >>= 1, x >>= 1) {
      *to = (char)(x & 1);
      to += word & 1;
    }
  }
}

/* ---- places --------------------------------------------------------------------------------------- */

size_t valid_place(const struct valid *v, size_t index) {
  size_t i = 0;
  for (; i < v->length; i += WORD) {
    uint64_t word = word_at(v, i, left_of(v, i));
    const size_t count = (size_t)__builtin_popcountll(word);
    if (index >= count) {
      index -= count;
      continue;
    }
    for (; index; index--) word &= word - 1;
    return i + (size_t)__builtin_ctzll(word);
  }
  return v->length;
}

/* Element n - 1 lies before place i, or at it, as long as there is one. */
VALID_INLINE void apart(const struct valid *v, char *x, size_t n, size_t bytes, bool *which) {
  for (size_t end = v->length; end;) {
    const size_t first = (end - 1) / WORD * WORD;
    const uint64_t word = word_at(v, first, end - first);
    for (size_t i = end; i-- > first;) {
      const uint64_t is_valid = word >> (i - first) & 1;
      uint64_t e = 0;
      memcpy(&e, x + (n - (n > 0)) * bytes, bytes);
      e &= 0 - is_valid;
      memcpy(x + i * bytes, &e, bytes);
      n -= is_valid;
      which[i] = is_valid;
    }
    end = first;
  }
}

void valid_apart(const struct valid *v, char *x, size_t n, size_t bytes, bool *which) {
  switch (bytes) {
  case 1: apart(v, x, n, 1, which); return;
  case 2: apart(v, x, n, 2, which); return;
  case 4: apart(v, x, n, 4, which); return;
  default: apart(v, x, n, 8, which);
  }
}
