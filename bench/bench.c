/* bench.c - timing two pieces of work in turn and reporting their ratio */
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MAX_ROUNDS = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(void (*work)(void *), void *arg, int calls) {
  double start = now();
  for (int i = 0; i < calls; i++) work(arg);
  return (now() - start) / calls;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int bench_rounds(void) {
  const char *text = getenv("BENCH_ROUNDS");
  int rounds = text ? atoi(text) : 0;
  return rounds < 1 ? 15 : rounds > MAX_ROUNDS ? MAX_ROUNDS : rounds;
}

/* Calls that last about a millisecond together, so that the clock does not matter. */
static int calls_for(void (*work)(void *), void *arg) {
  double once = seconds_of(work, arg, 1);
  for (int i = 0; i < 3; i++) {
    double again = seconds_of(work, arg, 1);
    if (again < once) once = again;
  }
  return once > 1e-3 ? 1 : (int)(1e-3 / (once + 1e-9)) + 1;
}

void bench_run(const struct bench_case *c) {
  static double ours[MAX_ROUNDS], theirs[MAX_ROUNDS], ratio[MAX_ROUNDS];
  int rounds = bench_rounds(), n = calls_for(c->ours, c->arg), m = calls_for(c->theirs, c->arg);
  double factor = c->peer_factor > 0 ? c->peer_factor : 1;
  for (int i = 0; i < rounds; i++) {
    ours[i] = seconds_of(c->ours, c->arg, n);
    theirs[i] = seconds_of(c->theirs, c->arg, m) * factor;
    ratio[i] = theirs[i] / ours[i];
  }
  qsort(ours, (size_t)rounds, sizeof *ours, ascending);
  qsort(theirs, (size_t)rounds, sizeof *theirs, ascending);
  qsort(ratio, (size_t)rounds, sizeof *ratio, ascending);
  double mid = ours[rounds / 2];
  printf("{\"group\": \"%s\", \"work\": \"%s\", \"peer\": \"%s\", \"elements\": %zu, "
         "\"threads\": %u, \"seconds\": %.4g, \"gb_per_s\": %.4g, \"peer_seconds\": %.4g, "
         "\"ratio\": %.4g, \"ratio_low\": %.4g, \"ratio_high\": %.4g, \"target\": %.4g}\n",
         c->group, c->work, c->peer, c->elements, c->threads, mid, 1e-9 * (double)c->bytes / mid,
         theirs[rounds / 2], ratio[rounds / 2], ratio[rounds / 10], ratio[rounds - 1 - rounds / 10],
         c->target);
  fflush(stdout);
}

void *bench_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "bench: no %zu bytes of memory; give a smaller size\n", bytes);
    exit(1);
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  memset(memory, 0, bytes);
  return memory;
}

void bench_fill(void *memory, size_t bytes) {
  uint32_t *word = memory, state = 1;
  for (size_t i = 0; i < bytes / 4; i++) {
    state = state * 1664525u + 1013904223u;
    word[i] = 0x3f000000u | (state >> 9);
  }
}

void bench_must(heddle_status status) {
  if (!status) return;
  fprintf(stderr, "bench: %s\n", heddle_message());
  exit(1);
}

heddle_context *bench_open(unsigned threads) {
  char device[32];
  heddle_context *ctx;
  snprintf(device, sizeof device, "cpu:%u", threads);
  bench_must(heddle_open(device, &ctx));
  return ctx;
}

void bench_verify(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "bench: %s gave a wrong result; nothing was timed\n", what);
  exit(1);
}
