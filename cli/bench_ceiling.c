/* bench_ceiling.c - how fast this machine's memory can be read and copied at all
 *
 * Method  Reading: 64-byte vectors added up in eight chains, in the widest registers that the
 *         processor has. Copying: the C library's memcpy, which bypasses caches on large arrays.
 *         Each thread has its own slice.
 * Limits  64 threads. The best of several calls is the ceiling, not one. */
#include "bench_ceiling.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "progress.h"

typedef uint64_t lanes __attribute__((vector_size(64), aligned(8)));

enum { CHAINS = 8, WORTH_THREADS = 1 << 18, WORTH_TIMING = 1 << 25 };

struct slice {
  const unsigned char *from;
  unsigned char *to; /* NULL: read */
  size_t bytes, times;
  uint64_t sum;
};

static inline __attribute__((always_inline)) uint64_t add_up(const unsigned char *from,
                                                             size_t bytes) {
  lanes chains[CHAINS] = {{0}};
  size_t at = 0;
  for (; at + sizeof chains <= bytes; at += sizeof chains)
    for (size_t c = 0; c < CHAINS; c++)
      chains[c] += *(const lanes *)(from + at + c * sizeof(lanes));
  for (size_t c = 1; c < CHAINS; c++) chains[0] += chains[c];
  uint64_t sum = 0;
  for (size_t i = 0; i < 8; i++) sum += chains[0][i];
  for (; at < bytes; at++) sum += from[at];
  return sum;
}

static uint64_t add_plain(const unsigned char *from, size_t bytes) { return add_up(from, bytes); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint64_t add_avx2(const unsigned char *from, size_t bytes) {
  return add_up(from, bytes);
}
__attribute__((target("avx512f"))) static uint64_t add_avx512(const unsigned char *from,
                                                              size_t bytes) {
  return add_up(from, bytes);
}
#endif

static uint64_t read_once(const unsigned char *from, size_t bytes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return add_avx512(from, bytes);
  if (__builtin_cpu_supports("avx2")) return add_avx2(from, bytes);
#endif
  return add_plain(from, bytes);
}

static void *work(void *arg) {
  struct slice *s = arg;
  for (size_t t = 0; t < s->times; t++) {
    if (s->to == NULL)
      s->sum += read_once(s->from, s->bytes);
    else
      memcpy(s->to, s->from, s->bytes);
    __asm__ volatile("" : : "r"(s) : "memory"); /* or one round would do for all */
  }
  return NULL;
}

static double run(unsigned char *to, const unsigned char *from, size_t bytes, unsigned threads) {
  struct slice slices[CEILING_THREADS];
  pthread_t others[CEILING_THREADS];
  if (threads > CEILING_THREADS) threads = CEILING_THREADS;
  if (bytes < WORTH_THREADS || threads < 1) threads = 1;
  size_t times = bytes >= WORTH_TIMING ? 1 : WORTH_TIMING / (bytes + 1) + 1, part = bytes / threads;
  unsigned started = 0;
  double start = progress_clock();
  for (unsigned t = 0; t < threads; t++) {
    size_t offset = t * part, size = t + 1 < threads ? part : bytes - offset;
    struct slice s = {from + offset, to == NULL ? NULL : to + offset, size, times, 0};
    slices[t] = s;
  }
  for (unsigned t = 1; t < threads; t++, started++)
    if (pthread_create(&others[t], NULL, work, &slices[t]) != 0) break;
  (void)work(&slices[0]);
  for (unsigned t = started + 1; t < threads; t++) (void)work(&slices[t]);
  for (unsigned t = 1; t <= started; t++) (void)pthread_join(others[t], NULL);
  return (progress_clock() - start) / (double)times;
}

double ceiling_read(const void *from, size_t bytes, unsigned threads) {
  return run(NULL, from, bytes, threads);
}

double ceiling_copy(void *to, const void *from, size_t bytes, unsigned threads) {
  return run(to, from, bytes, threads);
}
