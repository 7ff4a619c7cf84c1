/* together.c - every element is written, and the next one over it unless it is chosen: no branch depends on
 * the elements */
#include "together.h"

#include <stdbool.h>
#include <string.h>

#define TOGETHER_INLINE static inline __attribute__((always_inline))

TOGETHER_INLINE char *some(const char *from, size_t bytes, uint64_t word, size_t n, char *to) {
  for (size_t k = 0; k < n; k++, word >>= 1) {
    memcpy(to, from + k * bytes, bytes);
    to += bytes * (word & 1);
  }
  return to;
}

TOGETHER_INLINE char *all(const char *from, size_t bytes, const uint64_t *words, size_t count,
                          char *to) {
  for (size_t w = 0; w < count; w++, from += TOGETHER_WORD * bytes) {
    if (words[w] == UINT64_MAX) {
      memcpy(to, from, TOGETHER_WORD * bytes);
      to += TOGETHER_WORD * bytes;
    } else if (words[w]) {
      to = some(from, bytes, words[w], TOGETHER_WORD, to);
    }
  }
  return to;
}

static char *one_by_one(const char *from, size_t bytes, const uint64_t *words, size_t count,
                        char *to) {
  switch (bytes) {
  case 1: return all(from, 1, words, count, to);
  case 2: return all(from, 2, words, count, to);
  case 4: return all(from, 4, words, count, to);
  default: return all(from, 8, words, count, to);
  }
}

char *together_rest(const char *from, size_t bytes, uint64_t word, size_t n, char *to) {
  switch (bytes) {
  case 1: return some(from, 1, word, n, to);
  case 2: return some(from, 2, word, n, to);
  case 4: return some(from, 4, word, n, to);
  default: return some(from, 8, word, n, to);
  }
}

TOGETHER_INLINE void fill_all(const char *from, size_t bytes, const uint64_t *words, size_t count,
                              const void *fill, char *to) {
  uint64_t v = 0, f = 0;
  memcpy(&f, fill, bytes);
  for (size_t i = 0; i < count * TOGETHER_WORD; i++) {
    const uint64_t which = 0 - (words[i / TOGETHER_WORD] >> i % TOGETHER_WORD & 1);
    memcpy(&v, from + i * bytes, bytes);
    v = (v & which) | (f & ~which);
    memcpy(to + i * bytes, &v, bytes);
  }
}

static void fill_one_by_one(const char *from, size_t bytes, const uint64_t *words, size_t count,
                            const void *fill, char *to) {
  if (bytes == 4)
    fill_all(from, 4, words, count, fill, to);
  else
    fill_all(from, 8, words, count, fill, to);
}

/* Two bits, four and eight at a time. */
static size_t count_bits(const uint64_t *words, size_t count) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  size_t total = 0;
  for (size_t w = 0; w < count; w++) {
    uint64_t x = words[w];
    x -= x >> 1 & 0x55 * ones;
    x = (x & 0x33 * ones) + (x >> 2 & 0x33 * ones);
    total += ((x + (x >> 4)) & 0x0f * ones) * ones >> 56;
  }
  return total;
}

const struct together_kernels *together_kernels(void) {
  static const struct together_kernels plain = {one_by_one, fill_one_by_one, count_bits};
  const struct together_kernels *best = together_by_vectors();
  return best ? best : &plain;
}
