/* ceiling.c - what the machine's memory can do: reading, and copying past the caches
 *
 * Method   vectors of 64 bytes by the compiler's extensions, built for the machine that runs the
 *          benchmark; several threads take contiguous parts. A thread's start is part of the time,
 *          as it is for anybody who starts one. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "bench.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef float lanes __attribute__((vector_size(64)));

struct part {
  const char *from;
  char *to;
  size_t bytes;
  float sum;
};

static float sum_of(lanes v) {
  float total = 0;
  for (int i = 0; i < 16; i++) total += v[i];
  return total;
}

static void *read_part(void *arg) {
  struct part *p = arg;
  lanes s[8] = {{0}};
  for (size_t i = 0; i + sizeof s <= p->bytes; i += sizeof s)
    for (int v = 0; v < 8; v++) {
      lanes x;
      memcpy(&x, p->from + i + (size_t)v * sizeof x, sizeof x);
      s[v] += x;
    }
  for (int v = 1; v < 8; v++) s[0] += s[v];
  p->sum = sum_of(s[0]);
  return NULL;
}

/* A whole cache line at a time, so that write-combining never flushes half of one. */
static void *copy_part(void *arg) {
  struct part *p = arg;
#if defined(__AVX512F__)
  typedef long long line __attribute__((vector_size(64)));
  for (size_t i = 0; i + 64 <= p->bytes; i += 64) {
    line x;
    memcpy(&x, p->from + i, 64);
    __asm__ volatile("vmovntdq %1, %0" : "=m"(*(line *)(void *)(p->to + i)) : "v"(x));
  }
  _mm_sfence();
#elif defined(__SSE2__)
  for (size_t i = 0; i + 64 <= p->bytes; i += 64)
    for (size_t j = i; j < i + 64; j += 16)
      _mm_stream_si128((__m128i *)(void *)(p->to + j),
                       _mm_loadu_si128((const __m128i *)(const void *)(p->from + j)));
  _mm_sfence();
#else
  memcpy(p->to, p->from, p->bytes);
#endif
  return NULL;
}

static float run_parts(void *(*work)(void *), const void *from, void *to, size_t bytes,
                       unsigned threads) {
  enum { MOST = 64 };
  struct part part[MOST];
  pthread_t thread[MOST];
  float total = 0;
  if (threads > MOST) threads = MOST;
  size_t each = bytes / threads & ~(size_t)511;
  for (unsigned t = 0; t < threads; t++) {
    size_t at = t * each;
    part[t] = (struct part){(const char *)from + at, to ? (char *)to + at : NULL,
                            t + 1 == threads ? bytes - at : each, 0};
    if (t && pthread_create(&thread[t], NULL, work, &part[t])) bench_verify(false, "a thread");
  }
  work(&part[0]);
  for (unsigned t = 1; t < threads; t++) pthread_join(thread[t], NULL);
  for (unsigned t = 0; t < threads; t++) total += part[t].sum;
  return total;
}

float bench_read(const void *memory, size_t bytes, unsigned threads) {
  return run_parts(read_part, memory, NULL, bytes, threads);
}

void bench_copy(void *to, const void *from, size_t bytes, unsigned threads) {
  run_parts(copy_part, from, to, bytes, threads);
}
