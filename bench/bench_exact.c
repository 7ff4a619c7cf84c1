/* bench_exact.c - exact sums against the machine's read speed, the sum in order v1 and a textbook's exact sum
 *
 * usage: bench_exact [MEBIBYTES]    the large size, 1024 by default
 * Prints one line of JSON a comparison. Data: numbers of moderate size, a normal distribution, one over
 * exponents far apart. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ceiling/ceiling.h"
#include "bench.h"
#include "superaccumulator.h"

enum { BLOCK = 1 << 18 }; /* elements that are made once and repeated */

struct work {
  heddle_context *ctx;
  heddle_type type;
  const void *x;
  size_t count, bytes;
  unsigned threads;
};

static void sum_exact(void *arg) {
  const struct work *w = arg;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  double out;
  options.exact = 1;
  bench_must(heddle_reduce(w->ctx, HEDDLE_SUM, w->type, w->x, w->count, &out, &options));
}

static void sum_in_order(void *arg) {
  const struct work *w = arg;
  double out;
  bench_must(heddle_reduce(w->ctx, HEDDLE_SUM, w->type, w->x, w->count, &out, NULL));
}

static double textbook(const struct work *w, size_t n) {
  if (w->type == HEDDLE_F32) return superaccumulator_sum_f32(w->x, n);
  return superaccumulator_sum_f64(w->x, n);
}

static void sum_textbook(void *arg) {
  const struct work *w = arg;
  volatile double out = textbook(w, w->count);
  (void)out;
}

static void read_x(void *arg) {
  const struct work *w = arg;
  (void)ceiling_run(CEILING_READ, NULL, w->x, w->bytes, w->threads, 1);
}

/* The exact sum of an array, of itself turned round, and the textbook's are one. */
static void verify(const struct work *w) {
  const size_t size = w->type == HEDDLE_F32 ? 4 : 8, n = w->count < BLOCK ? w->count : BLOCK;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  double there = 0, back = 0;
  char *turned = malloc(n * size);
  bench_verify(turned != NULL, "no memory");
  for (size_t i = 0; i < n; i++) {
    for (size_t b = 0; b < size; b++)
      turned[(n - 1 - i) * size + b] = ((const char *)w->x)[i * size + b];
  }
  options.exact = 1, options.out_type = HEDDLE_F64;
  bench_must(heddle_reduce(w->ctx, HEDDLE_SUM, w->type, w->x, n, &there, &options));
  bench_must(heddle_reduce(w->ctx, HEDDLE_SUM, w->type, turned, n, &back, &options));
  bench_verify(there == back, "an exact sum depends on the order");
  bench_verify(there == textbook(w, n), "an exact sum is not the textbook's");
  free(turned);
}

static double uniform(uint64_t i) {
  uint64_t z = i * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

enum data { UNIFORM, NORMAL, FAR_APART, DATA };
static const char *const names[] = {"uniform", "normal", "log-normal, sigma 5"};

static void fill(enum data data, heddle_type type, void *memory, size_t bytes) {
  const size_t size = type == HEDDLE_F32 ? 4 : 8;
  for (size_t i = 0; i < bytes / size; i++) {
    if (i >= BLOCK) { /* again */
      if (size == 4)
        ((float *)memory)[i] = ((float *)memory)[i - BLOCK];
      else
        ((double *)memory)[i] = ((double *)memory)[i - BLOCK];
      continue;
    }
    double v = uniform(2 * i);
    if (data != UNIFORM) v = sqrt(-2 * log(v)) * cos(6.283185307179586 * uniform(2 * i + 1));
    if (data == FAR_APART) v = exp(5 * v);
    if (size == 4)
      ((float *)memory)[i] = (float)v;
    else
      ((double *)memory)[i] = v;
  }
}

static void compare(const char *name, const char *peer, void (*theirs)(void *), struct work *w,
                    double target) {
  struct bench_case c = {.group = "exact",
                         .work = name,
                         .peer = peer,
                         .elements = w->count,
                         .bytes = w->bytes,
                         .threads = w->threads,
                         .target = target,
                         .ours = sum_exact,
                         .theirs = theirs,
                         .arg = w};
  verify(w);
  bench_run(&c);
}

static void each_size(enum data data, heddle_type type, void *memory, size_t bytes) {
  const size_t size = type == HEDDLE_F32 ? 4 : 8;
  char name[64];
  (void)snprintf(name, sizeof name, "exact sum %s, %s", heddle_type_name(type), names[data]);
  for (unsigned threads = 1; threads <= 2; threads++) {
    heddle_context *ctx = bench_open(threads);
    struct work w = {ctx, type, memory, bytes / size, bytes, threads};
    compare(name, "read ceiling", read_x, &w, threads == 1 && data != FAR_APART ? 0.95 : 0);
    heddle_close(ctx);
  }
  heddle_context *ctx = bench_open(1);
  struct work w = {ctx, type, memory, (1 << 19) / size, 1 << 19, 1};
  compare(name, "sum in order v1, L2", sum_in_order, &w, data != FAR_APART ? 0.25 : 0);
  compare(name, "small superaccumulator, L2", sum_textbook, &w, 0);
  w.count = 1000, w.bytes = 1000 * size;
  compare(name, "small superaccumulator, 1000", sum_textbook, &w, 0);
  w.count = 16, w.bytes = 16 * size;
  compare(name, "sum in order v1", sum_in_order, &w, 0);
  heddle_close(ctx);
}

int main(int argc, char **argv) {
  const size_t mebibytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
  if (mebibytes < 4 || mebibytes > 1 << 20) {
    fprintf(stderr, "usage: bench_exact [MEBIBYTES, 4 to 1048576]\n");
    return 2;
  }
  const size_t bytes = mebibytes << 20;
  void *memory = bench_memory(bytes);
  for (int type = 0; type < 2; type++)
    for (enum data data = UNIFORM; data < DATA; data++) {
      fill(data, type ? HEDDLE_F64 : HEDDLE_F32, memory, bytes);
      each_size(data, type ? HEDDLE_F64 : HEDDLE_F32, memory, bytes);
    }
  return 0;
}
