/* bench_histogram.c - histograms against the machine's read speed, and skewed data against uniform
 *
 * usage: bench_histogram [MEBIBYTES]    the size of the input, 256 by default
 * Prints one line of JSON a comparison. Counts are verified element by element before any timing;
 * against NumPy the same work is in run.py. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ceiling/ceiling.h"
#include "bench.h"

enum { MOST_BINS = 1 << 16 };

struct work {
  heddle_context *ctx;
  heddle_type type;
  heddle_bins bins;
  const void *in, *uniform; /* uniform: the data that the peer's histogram is of */
  size_t count, bytes;
  unsigned threads;
  uint64_t counts[MOST_BINS];
};

static void ours(void *arg) {
  struct work *w = arg;
  bench_must(heddle_histogram(w->ctx, w->type, w->in, w->count, &w->bins, w->counts, NULL, NULL));
}

static void ours_uniform(void *arg) {
  struct work *w = arg;
  bench_must(
      heddle_histogram(w->ctx, w->type, w->uniform, w->count, &w->bins, w->counts, NULL, NULL));
}

static void read_all(void *arg) {
  const struct work *w = arg;
  (void)ceiling_run(CEILING_READ, NULL, w->in, w->bytes, w->threads, 1);
}

static double value_of(const struct work *w, size_t i) {
  switch (w->type) {
  case HEDDLE_U8: return ((const uint8_t *)w->in)[i];
  case HEDDLE_F32: return (double)((const float *)w->in)[i];
  default: return ((const double *)w->in)[i];
  }
}

/* Every element's bin by binary search in the edges. */
static void verify(struct work *w, const char *what) {
  size_t bins = w->bins.count;
  double *edges = malloc((bins + 1) * sizeof *edges);
  uint64_t *want = calloc(bins, sizeof *want);
  bench_verify(edges && want, "memory for the reference");
  bench_must(heddle_histogram_edges(w->type, &w->bins, edges));
  for (size_t i = 0; i < w->count; i++) {
    double x = value_of(w, i);
    if (!(x >= edges[0] && x <= edges[bins])) continue;
    if (w->bins.kind == HEDDLE_BINS_INTEGER && x >= edges[bins]) continue;
    size_t low = 0, high = bins;
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      *(edges[middle] <= x ? &low : &high) = middle;
    }
    want[low]++;
  }
  ours(w);
  bench_verify(!memcmp(want, w->counts, bins * sizeof *want), what);
  free(edges);
  free(want);
}

static void compare(struct work *w, const char *name, const char *peer, double target) {
  struct bench_case c = {.group = "histogram",
                         .work = name,
                         .peer = peer,
                         .elements = w->count,
                         .bytes = w->bytes,
                         .threads = w->threads,
                         .target = target,
                         .ours = ours,
                         .theirs = w->uniform ? ours_uniform : read_all,
                         .arg = w};
  verify(w, name);
  bench_run(&c);
}

/* ---- data: 24 bits of a linear congruential generator as a number in [0, 1) ------------------ */

static uint32_t next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

enum shape { UNIFORM, CONSTANT, ON_EDGE, TWO, FOURTH_POWER, SHAPES };
static const char *const shape_name[SHAPES] = {"uniform", "constant", "constant on an edge",
                                               "two values", "u^4"};

static void fill_floats(float *x, size_t count, enum shape shape) {
  uint32_t state = 1;
  for (size_t i = 0; i < count; i++) {
    float u = (float)next(&state) * 0x1p-24f;
    switch (shape) {
    case CONSTANT: u = 0.3721f; break;
    case ON_EDGE: u = 0.25f; break;
    case TWO: u = u < 0.5f ? 0.3721f : 0.12345f; break;
    case FOURTH_POWER: u = u * u * u * u; break;
    default: break;
    }
    x[i] = u;
  }
}

static void fill_bytes(uint8_t *x, size_t count, enum shape shape) {
  uint32_t state = 1;
  for (size_t i = 0; i < count; i++) {
    uint32_t u = next(&state) >> 4;
    x[i] = (uint8_t)(shape == CONSTANT  ? 77
                     : shape == TWO     ? (u & 1 ? 77 : 91)
                     : shape == UNIFORM ? u
                                        : u & (u >> 8) & (u >> 12));
  }
}

/* The text of this machine's own headers and sources, repeated. */
static bool fill_text(uint8_t *x, size_t count) {
  FILE *file = fopen("/usr/include/stdlib.h", "rb");
  size_t length = file ? fread(x, 1, count < 1 << 15 ? count : 1 << 15, file) : 0;
  if (file) fclose(file);
  for (size_t i = length; length && i < count; i++) x[i] = x[i - length];
  return length != 0;
}

/* ---- what is compared ------------------------------------------------------------------------ */

static void floats(struct work *w, float *x) {
  static const size_t bins[] = {100, 1000, 16384};
  static const heddle_bins empty = HEDDLE_BINS_INIT;
  char name[80];
  w->type = HEDDLE_F32, w->in = x, w->count = w->bytes / sizeof *x, w->uniform = NULL;
  for (enum shape shape = UNIFORM; shape < SHAPES; shape++) {
    fill_floats(x, w->count, shape);
    for (size_t b = 0; b < 3; b++) {
      w->bins = empty;
      w->bins.count = bins[b], w->bins.hi = 1;
      snprintf(name, sizeof name, "f32, %zu even bins, %s", bins[b], shape_name[shape]);
      compare(w, name, "read ceiling", 0);
    }
  }
}

static void other_bins(struct work *w, float *x) {
  static const heddle_bins empty = HEDDLE_BINS_INIT;
  double edges[101];
  for (int i = 0; i <= 100; i++) edges[i] = pow(i / 100.0, 1.5);
  fill_floats(x, w->count, UNIFORM);
  w->bins = empty;
  w->bins.kind = HEDDLE_BINS_EDGES, w->bins.count = 100, w->bins.edges = edges;
  compare(w, "f32, 100 explicit edges", "read ceiling", 0);
  w->bins = empty;
  w->bins.kind = HEDDLE_BINS_LOG, w->bins.count = 100, w->bins.lo = 1e-4, w->bins.hi = 1;
  compare(w, "f32, 100 logarithmic bins", "read ceiling", 0);
}

static void bytes(struct work *w, uint8_t *x, uint8_t *uniform) {
  static const heddle_bins empty = HEDDLE_BINS_INIT;
  w->type = HEDDLE_U8, w->in = x, w->count = w->bytes, w->uniform = NULL;
  w->bins = empty;
  w->bins.kind = HEDDLE_BINS_INTEGER, w->bins.count = 256;
  fill_bytes(x, w->count, UNIFORM);
  compare(w, "bytes, uniform", "read ceiling", 0);
  memcpy(uniform, x, w->count);
  w->uniform = uniform;
  fill_bytes(x, w->count, CONSTANT);
  compare(w, "bytes, constant", "uniform bytes", 0.9);
  fill_bytes(x, w->count, TWO);
  compare(w, "bytes, two values", "uniform bytes", 0.9);
  fill_bytes(x, w->count, FOURTH_POWER);
  compare(w, "bytes, and of three", "uniform bytes", 0.9);
  if (fill_text(x, w->count)) compare(w, "bytes, text", "uniform bytes", 0.9);
}

int main(int argc, char **argv) {
  size_t mebibytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 256;
  if (mebibytes < 1 || mebibytes > 1 << 18) {
    fprintf(stderr, "usage: bench_histogram [MEBIBYTES, 1 to 262144]\n");
    return 2;
  }
  static struct work w;
  w.bytes = mebibytes << 20;
  void *memory = bench_memory(w.bytes), *uniform = bench_memory(w.bytes / 4);
  for (w.threads = 1; w.threads <= 2; w.threads++) {
    w.ctx = bench_open(w.threads);
    size_t all = w.bytes;
    floats(&w, memory);
    other_bins(&w, memory);
    w.bytes = all / 4;
    bytes(&w, memory, uniform);
    w.bytes = all;
    heddle_close(w.ctx);
  }
  return 0;
}
