/* bench_scan.c - running totals against a copy past the caches and a serial loop
 *
 * usage: bench_scan [MEBIBYTES]    of input, 512 by default
 * Prints one line of JSON a comparison. The ceiling of a scan is a copy, which reads and writes as
 * much as the scan does. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ceiling/ceiling.h"
#include "bench.h"

struct work {
  heddle_context *ctx;
  heddle_op op;
  heddle_scan_kind kind;
  heddle_type type;
  const void *x;
  void *y;
  size_t count;
  size_t bytes;
  unsigned threads;
};

static void scan(void *arg) {
  const struct work *w = arg;
  bench_must(heddle_scan(w->ctx, w->op, w->kind, w->type, w->x, w->count, w->y, NULL));
}

static void copy(void *arg) {
  const struct work *w = arg;
  (void)ceiling_run(CEILING_COPY_NON_TEMPORAL, w->y, w->x, w->bytes, w->threads, 1);
}

/* What numpy.cumsum does. */
static void serial(void *arg) {
  const struct work *w = arg;
  const float *x = w->x;
  float *y = w->y, sum = 0;
  for (size_t i = 0; i < w->count; i++) y[i] = sum += x[i];
}

static double element(const struct work *w, const void *array, size_t i) {
  return w->type == HEDDLE_F32 ? ((const float *)array)[i] : ((const double *)array)[i];
}

/* Every element against a serial sum in long double, and some to the bit against heddle_reduce,
 * whose order is the scan's. */
static void verify(const struct work *w, const char *what) {
  const size_t width = w->bytes / w->count;
  long double sum = 0, magnitude = 0, ulp = w->type == HEDDLE_F32 ? 0x1p-23L : 0x1p-52L;
  bool good = true;
  scan((void *)(uintptr_t)w);
  for (size_t i = 0; i < w->count; i++) {
    double x = element(w, w->x, i);
    if (w->kind == HEDDLE_INCLUSIVE) sum += x, magnitude += fabs(x);
    good = good && fabsl((long double)element(w, w->y, i) - sum) <= 64 * ulp * magnitude;
    if (w->kind == HEDDLE_EXCLUSIVE) sum += x, magnitude += fabs(x);
  }
  for (size_t n = 1; n <= w->count; n = n * 3 + 1) {
    union {
      float f32;
      double f64;
    } total = {0};
    size_t at = w->kind == HEDDLE_INCLUSIVE ? n - 1 : n;
    if (at >= w->count) break;
    bench_must(heddle_reduce(w->ctx, w->op, w->type, w->x, n, &total, NULL));
    double expected = width == 4 ? (double)total.f32 : total.f64;
    good = good && !(element(w, w->y, at) < expected) && !(element(w, w->y, at) > expected);
  }
  bench_verify(good, what);
}

static void compare(const char *name, const char *peer, void (*theirs)(void *), struct work *w,
                    double target) {
  struct bench_case c = {.group = "scan",
                         .work = name,
                         .peer = peer,
                         .elements = w->count,
                         .bytes = 2 * w->bytes,
                         .threads = w->threads,
                         .target = target,
                         .ours = scan,
                         .theirs = theirs,
                         .arg = w};
  bench_run(&c);
}

static void floats(heddle_context *ctx, unsigned threads, void *x, void *y, size_t bytes,
                   const char *peer, double target) {
  struct work w = {ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, y, bytes / 4, bytes, threads};
  verify(&w, "inclusive sum f32");
  compare("inclusive sum f32", peer, copy, &w, target);
  w.type = HEDDLE_F64, w.count = bytes / 8;
  verify(&w, "inclusive sum f64");
  compare("inclusive sum f64", peer, copy, &w, target);
}

static void others(heddle_context *ctx, unsigned threads, void *x, void *y, size_t bytes) {
  const char *peer = "copy past the caches";
  struct work w = {ctx, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_F32, x, y, bytes / 4, bytes, threads};
  verify(&w, "exclusive sum f32");
  compare("exclusive sum f32", peer, copy, &w, 0);
  w.kind = HEDDLE_INCLUSIVE, w.op = HEDDLE_MIN;
  compare("inclusive min f32", peer, copy, &w, 0);
  w.op = HEDDLE_SUM, w.type = HEDDLE_I32;
  compare("inclusive sum i32", peer, copy, &w, 0);
  w.type = HEDDLE_BF16, w.count = bytes / 2;
  compare("inclusive sum bf16", peer, copy, &w, threads == 1 ? 0.8 : 0);
  w.type = HEDDLE_F16;
  compare("inclusive sum f16", peer, copy, &w, threads == 1 ? 0.8 : 0);
}

int main(int argc, char **argv) {
  size_t mebibytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 512;
  if (mebibytes < 16 || mebibytes > 1 << 20) {
    fprintf(stderr, "usage: bench_scan [MEBIBYTES, 16 to 1048576]\n");
    return 2;
  }
  size_t bytes = mebibytes << 20;
  char *x = bench_memory(bytes), *y = bench_memory(bytes);
  bench_fill(x, bytes);
  for (unsigned threads = 1; threads <= 2; threads++) {
    heddle_context *ctx = bench_open(threads);
    floats(ctx, threads, x, y, bytes, "copy past the caches", threads == 1 ? 0.9 : 0.8);
    others(ctx, threads, x, y, bytes);
    heddle_close(ctx);
  }
  heddle_context *ctx = bench_open(1);
  struct work w = {ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, y, bytes / 4, bytes, 1};
  compare("inclusive sum f32", "serial loop", serial, &w, 0);
  w.bytes = 1 << 19, w.count = w.bytes / 4;
  compare("inclusive sum f32, L2", "serial loop", serial, &w, 0);
  w.bytes = 64, w.count = 16;
  verify(&w, "16 elements");
  compare("inclusive sum f32, 16 elements", "serial loop", serial, &w, 0);
  heddle_close(ctx);
  return 0;
}
