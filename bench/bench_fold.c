/* bench_fold.c - reduce and dot against the machine's read speed and an unordered SIMD sum
 *
 * usage: bench_fold [MEBIBYTES]    the large size, 1024 by default
 * Prints one line of JSON a comparison. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ceiling/ceiling.h"
#include "bench.h"

struct work {
  heddle_context *ctx;
  heddle_type type;
  heddle_op op;
  const void *x, *y;
  size_t count;
  size_t bytes; /* of x, and of y if there is one */
  unsigned threads;
};

static void reduce(void *arg) {
  const struct work *w = arg;
  double out;
  bench_must(heddle_reduce(w->ctx, w->op, w->type, w->x, w->count, &out, NULL));
}

static void dot(void *arg) {
  const struct work *w = arg;
  double out;
  bench_must(heddle_dot(w->ctx, w->type, w->x, w->y, w->count, &out, NULL));
}

static void describe(void *arg) {
  const struct work *w = arg;
  heddle_description out = HEDDLE_DESCRIPTION_INIT;
  bench_must(heddle_describe(w->ctx, w->type, w->x, w->count, &out, NULL));
}

static void read_x(void *arg) {
  const struct work *w = arg;
  (void)ceiling_run(CEILING_READ, NULL, w->x, w->bytes, w->threads, 1);
}

static void read_both(void *arg) {
  const struct work *w = arg;
  (void)ceiling_run(CEILING_READ, NULL, w->x, w->bytes, w->threads, 1);
  (void)ceiling_run(CEILING_READ, NULL, w->y, w->bytes, w->threads, 1);
}

/* Against a sum in long double, which no order of f32 or f64 additions can stray far from. */
static void verify(const struct work *w, const char *what) {
  long double sum = 0, magnitude = 0;
  double out64 = 0;
  float out32 = 0;
  bool single = w->type == HEDDLE_F32;
  for (size_t i = 0; i < w->count; i++) {
    long double v = single ? ((const float *)w->x)[i] : ((const double *)w->x)[i];
    if (w->y) v *= single ? ((const float *)w->y)[i] : ((const double *)w->y)[i];
    sum += v;
    magnitude += fabsl(v);
  }
  void *out = single ? (void *)&out32 : (void *)&out64;
  if (w->y)
    bench_must(heddle_dot(w->ctx, w->type, w->x, w->y, w->count, out, NULL));
  else
    bench_must(heddle_reduce(w->ctx, HEDDLE_SUM, w->type, w->x, w->count, out, NULL));
  long double got = single ? out32 : out64, ulp = single ? 0x1p-23L : 0x1p-52L;
  bench_verify(fabsl(got - sum) <= 64 * ulp * magnitude, what);
}

static void compare(const char *name, const char *peer, void (*ours)(void *),
                    void (*theirs)(void *), struct work *w, size_t moved, double target) {
  struct bench_case c = {.group = "reduce",
                         .work = name,
                         .peer = peer,
                         .elements = w->count,
                         .bytes = moved,
                         .threads = w->threads,
                         .target = target,
                         .ours = ours,
                         .theirs = theirs,
                         .arg = w};
  bench_run(&c);
}

static void sums(heddle_context *ctx, unsigned threads, void *memory, size_t bytes,
                 const char *peer, double target) {
  struct work w = {ctx, HEDDLE_F32, HEDDLE_SUM, memory, NULL, bytes / 4, bytes, threads};
  verify(&w, "sum f32");
  compare("sum f32", peer, reduce, read_x, &w, bytes, target);
  w.type = HEDDLE_F64, w.count = bytes / 8;
  verify(&w, "sum f64");
  compare("sum f64", peer, reduce, read_x, &w, bytes, target);
}

static void dots(heddle_context *ctx, unsigned threads, char *memory, size_t bytes,
                 const char *peer, double target) {
  size_t half = bytes / 2;
  struct work w = {ctx, HEDDLE_F32, HEDDLE_SUM, memory, memory + half, half / 4, half, threads};
  verify(&w, "dot f32");
  compare("dot f32", peer, dot, read_both, &w, bytes, target);
  w.type = HEDDLE_F64, w.count = half / 8;
  verify(&w, "dot f64");
  compare("dot f64", peer, dot, read_both, &w, bytes, target);
}

static void others(heddle_context *ctx, unsigned threads, void *memory, size_t bytes) {
  static const struct {
    const char *name;
    heddle_op op;
    heddle_type type;
    size_t width;
  } row[] = {{"min f32", HEDDLE_MIN, HEDDLE_F32, 4},
             {"sum u8", HEDDLE_SUM, HEDDLE_U8, 1},
             {"sum i32", HEDDLE_SUM, HEDDLE_I32, 4},
             {"sum bf16", HEDDLE_SUM, HEDDLE_BF16, 2}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    struct work w = {ctx,  row[i].type,          row[i].op, memory,
                     NULL, bytes / row[i].width, bytes,     threads};
    compare(row[i].name, "read ceiling", reduce, read_x, &w, bytes, 0);
  }
}

static void describes(heddle_context *ctx, unsigned threads, void *memory, size_t bytes) {
  static const struct {
    const char *name;
    heddle_type type;
    size_t width;
  } row[] = {{"describe f32", HEDDLE_F32, 4},
             {"describe f64", HEDDLE_F64, 8},
             {"describe i32", HEDDLE_I32, 4}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    struct work w = {ctx,  row[i].type,          HEDDLE_SUM, memory,
                     NULL, bytes / row[i].width, bytes,      threads};
    compare(row[i].name, "read ceiling", describe, read_x, &w, bytes, threads == 1 ? 0.7 : 0);
  }
}

int main(int argc, char **argv) {
  size_t mebibytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1024;
  if (mebibytes < 4 || mebibytes > 1 << 20) {
    fprintf(stderr, "usage: bench_fold [MEBIBYTES, 4 to 1048576]\n");
    return 2;
  }
  size_t bytes = mebibytes << 20;
  char *memory = bench_memory(bytes);
  bench_fill(memory, bytes);
  for (unsigned threads = 1; threads <= 2; threads++) {
    heddle_context *ctx = bench_open(threads);
    sums(ctx, threads, memory, bytes, "read ceiling", 0.98);
    dots(ctx, threads, memory, bytes, "read ceiling", 0.98);
    others(ctx, threads, memory, bytes);
    describes(ctx, threads, memory, bytes);
    heddle_close(ctx);
  }
  heddle_context *ctx = bench_open(1);
  sums(ctx, 1, memory, 1 << 19, "unordered SIMD sum, L2", 0.95);
  sums(ctx, 1, memory, 1 << 15, "unordered SIMD sum, L1", 0.75);
  dots(ctx, 1, memory, 1 << 19, "unordered SIMD sum, L2", 0);
  sums(ctx, 1, memory, 64, "64 bytes", 0);
  heddle_close(ctx);
  return 0;
}
