// What the benchmarks of the software device share: a clock, a median, one line of JSON.
#ifndef SIMT_BENCH_H
#define SIMT_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 11 };

#define CHECK(call) bench_check((call), #call, __LINE__)

static inline void bench_check(cudaError_t error, const char *call, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
  exit(1);
}

static inline unsigned bench_random(void) {
  static unsigned long long state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 32);
}

static inline double bench_milliseconds(void (*work)(void)) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  work();
  CHECK(cudaDeviceSynchronize());
  clock_gettime(CLOCK_MONOTONIC, &end);
  return 1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_nsec - begin.tv_nsec);
}

static inline int bench_order(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double bench_median(double *values) {
  qsort(values, ROUNDS, sizeof *values, bench_order);
  return values[ROUNDS / 2];
}

// Ours and the peer in turn. Both write `n` floats that must be equal.
static inline void bench_pair(const char *work, void (*ours)(void), void (*peer)(void),
                              const float *a, const float *b, int n) {
  double mine[ROUNDS], theirs[ROUNDS], ratio[ROUNDS];
  ours();
  CHECK(cudaDeviceSynchronize());
  peer();
  if (memcmp(a, b, (size_t)n * sizeof *a) != 0) {
    fprintf(stderr, "%s: the results differ\n", work);
    exit(1);
  }
  for (int i = 0; i < ROUNDS; ++i) {
    mine[i] = bench_milliseconds(ours);
    theirs[i] = bench_milliseconds(peer);
    ratio[i] = mine[i] / theirs[i];
  }
  printf("{\"work\": \"%s\", \"ours_ms\": %.4f, \"peer_ms\": %.4f, \"ratio\": %.4f}\n", work,
         bench_median(mine), bench_median(theirs), bench_median(ratio));
}

// One of ours alone.
static inline void bench_alone(const char *work, void (*ours)(void)) {
  double mine[ROUNDS];
  ours();
  for (int i = 0; i < ROUNDS; ++i) mine[i] = bench_milliseconds(ours);
  printf("{\"work\": \"%s\", \"ours_ms\": %.4f}\n", work, bench_median(mine));
}

#endif
