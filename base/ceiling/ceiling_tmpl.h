/* ceiling_tmpl.h - reading and copying by vectors of one width
 *
 * Parameters  CEILING_NAME   name of the table
 *             CEILING_BYTES  bytes of a vector register
 *             CEILING_STREAM (to, v): stores vector v past the caches at the aligned address to;
 *                            undefined: there is no such store
 *             CEILING_FENCE  orders those stores before what follows
 * Method      eight vectors a round. The accumulators are variables of their own, not an array, so
 *             that no compiler keeps them in memory; vectors are of the register's own width, so
 *             that none is taken apart.
 * Source      none; the widths are the registers'. */
#include <string.h>

#include "base/ceiling/ceiling_kernels.h"

typedef uint64_t vector __attribute__((vector_size(CEILING_BYTES)));
/* A vector at any address, whatever the type of what lies there. */
typedef uint64_t unaligned __attribute__((vector_size(CEILING_BYTES), aligned(1), may_alias));

enum { ROUND = 8 * CEILING_BYTES };

static inline vector at(const unsigned char *from, size_t i) {
  return *(const unaligned *)(const void *)(from + i * CEILING_BYTES);
}

static inline __attribute__((always_inline)) uint64_t add_up(const unsigned char *from,
                                                             size_t bytes, size_t ahead) {
  vector a = {0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  const unsigned char *end = from + bytes;
  for (size_t left = bytes / ROUND; left > 0; left--, from += ROUND) {
    for (size_t i = 0; ahead > 0 && i < ROUND; i += 64)
      __builtin_prefetch((const void *)((uintptr_t)from + ahead + i));
    a += at(from, 0), b += at(from, 1), c += at(from, 2), d += at(from, 3);
    e += at(from, 4), f += at(from, 5), g += at(from, 6), h += at(from, 7);
  }
  a += b, c += d, e += f, g += h;
  a += c, e += g;
  a += e;
  uint64_t sum = 0, word;
  for (size_t i = 0; i < CEILING_BYTES / 8; i++) sum += a[i];
  for (; end - from >= 8; from += 8) {
    memcpy(&word, from, 8);
    sum += word;
  }
  for (; from < end; from++) sum += *from;
  return sum;
}

static uint64_t read_all(unsigned char *to, const unsigned char *from, size_t bytes) {
  (void)to;
  return add_up(from, bytes, 0);
}

/* Two distances: what is to come from a near cache, and what from memory. */
static uint64_t read_prefetched(unsigned char *to, const unsigned char *from, size_t bytes) {
  (void)to;
  return add_up(from, bytes, 1024);
}
static uint64_t read_prefetched_far(unsigned char *to, const unsigned char *from, size_t bytes) {
  (void)to;
  return add_up(from, bytes, 4096);
}

static uint64_t copy_all(unsigned char *to, const unsigned char *from, size_t bytes) {
  size_t i = 0;
  for (; i + ROUND <= bytes; i += ROUND) {
    vector a = at(from + i, 0), b = at(from + i, 1), c = at(from + i, 2), d = at(from + i, 3);
    vector e = at(from + i, 4), f = at(from + i, 5), g = at(from + i, 6), h = at(from + i, 7);
    unaligned *out = (unaligned *)(void *)(to + i);
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
    out[4] = e, out[5] = f, out[6] = g, out[7] = h;
  }
  if (i < bytes) memcpy(to + i, from + i, bytes - i);
  return 0;
}

static uint64_t copy_non_temporal(unsigned char *to, const unsigned char *from, size_t bytes) {
#ifdef CEILING_STREAM
  size_t head = (64 - (uintptr_t)to % 64) % 64, i;
  if (head > bytes) head = bytes;
  memcpy(to, from, head);
  /* Whole cache lines, so that write-combining never flushes half of one. */
  for (i = head; i + 64 <= bytes; i += 64)
    for (size_t j = 0; j < 64 / CEILING_BYTES; j++)
      CEILING_STREAM(to + i + j * CEILING_BYTES, at(from + i, j));
  CEILING_FENCE();
  memcpy(to + i, from + i, bytes - i);
#else
  memcpy(to, from, bytes);
#endif
  return 0;
}

const struct ceiling_kernels CEILING_NAME = {{[CEILING_READ] = read_all,
                                              [CEILING_READ_PREFETCHED] = read_prefetched,
                                              [CEILING_READ_PREFETCHED_FAR] = read_prefetched_far,
                                              [CEILING_COPY] = copy_all,
                                              [CEILING_COPY_NON_TEMPORAL] = copy_non_temporal}};

#undef CEILING_NAME
#undef CEILING_BYTES
#undef CEILING_STREAM
#undef CEILING_FENCE
