/* bench_group.c - one array on several GPUs against a part of it on one
 *
 *   bench_group [MIB] [DEVICES]    MIB a GPU (2048), e.g. cuda:0,1 (cuda:all)
 *
 * Result    a line a call: milliseconds on one GPU and on all of them with as much on each, and what share of
 *           linear that is; host arrays: the whole array on one and on all
 * Method    the median of REPS calls, each to the end; results are compared with a CPU's, bit for bit
 * Limits    two GPUs or more, of one host */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle.h"

enum { REPS = 9, MOST = 16, BLOCK = 1 << 22 /* elements that the array repeats */ };

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "bench_group: %s\n", heddle_message());
  exit(1);
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

struct group {
  int gpus;
  size_t count; /* f32 a GPU */
  heddle_context *all, *one[MOST];
  heddle_part in[MOST], out[MOST];
  float *block; /* of the host */
};

/* ---- calls ------------------------------------------------------------------------------------- */

typedef void call(struct group *g, float *result);

static heddle_parts parts_of(const struct group *g, const heddle_part *part) {
  heddle_parts parts = HEDDLE_PARTS_INIT;
  parts.parts = (size_t)g->gpus, parts.part = part;
  return parts;
}
static void sum_one(struct group *g, float *out) {
  must(heddle_reduce(g->one[0], HEDDLE_SUM, HEDDLE_F32, g->in[0].data, g->count, out, NULL));
}
static void sum_all(struct group *g, float *out) {
  const heddle_parts in = parts_of(g, g->in);
  must(heddle_reduce_parts(g->all, HEDDLE_SUM, HEDDLE_F32, &in, out, NULL));
}
static heddle_options exactly(void) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.exact = 1;
  return options;
}
static void exact_one(struct group *g, float *out) {
  const heddle_options options = exactly();
  must(heddle_reduce(g->one[0], HEDDLE_SUM, HEDDLE_F32, g->in[0].data, g->count, out, &options));
}
static void exact_all(struct group *g, float *out) {
  const heddle_parts in = parts_of(g, g->in);
  const heddle_options options = exactly();
  must(heddle_reduce_parts(g->all, HEDDLE_SUM, HEDDLE_F32, &in, out, &options));
}
static void scan_one(struct group *g, float *out) {
  must(heddle_scan(g->one[0], HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, g->in[0].data, g->count,
                   g->out[0].data, NULL));
  must(heddle_sync(g->one[0]));
  (void)out;
}
static void scan_all(struct group *g, float *out) {
  const heddle_parts in = parts_of(g, g->in), to = parts_of(g, g->out);
  must(heddle_scan_parts(g->all, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, &in, &to, NULL));
  must(heddle_sync(g->all));
  (void)out;
}

static double median(struct group *g, call *run, float *result) {
  double ms[REPS];
  run(g, result);
  for (int i = 0; i < REPS; i++) {
    const double begun = now();
    run(g, result);
    ms[i] = now() - begun;
  }
  qsort(ms, REPS, sizeof *ms, by_size);
  return ms[REPS / 2];
}

/* ---- what is right ------------------------------------------------------------------------------ */

/* The sum of the whole array on a CPU. */
static float sum_here(const struct group *g, int exact) {
  heddle_context *cpu;
  heddle_state *state;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  float sum;
  options.exact = exact;
  must(heddle_open("cpu", &cpu));
  must(heddle_reduce_begin(cpu, HEDDLE_SUM, HEDDLE_F32, &options, &state));
  for (size_t left = g->count * (size_t)g->gpus; left;) {
    const size_t n = left < BLOCK ? left : BLOCK;
    must(heddle_reduce_update(state, g->block, n));
    left -= n;
  }
  must(heddle_reduce_finish(state, &sum));
  heddle_state_free(state);
  heddle_close(cpu);
  return sum;
}

static void row(const char *name, double one, double all, double linear, int right) {
  printf("%-22s one %9.3f ms  all %9.3f ms  %.3f of linear  %s\n", name, one, all, linear,
         right ? "same bits" : "OTHER BITS");
}

static void device_rows(struct group *g) {
  float one, all, last;
  double a = median(g, sum_one, &one), b = median(g, sum_all, &all);
  const float sum = sum_here(g, 0), exact = sum_here(g, 1);
  row("sum", a, b, a / b, memcmp(&all, &sum, sizeof sum) == 0);
  a = median(g, exact_one, &one), b = median(g, exact_all, &all);
  row("exact sum", a, b, a / b, memcmp(&all, &exact, sizeof exact) == 0);
  a = median(g, scan_one, &one), b = median(g, scan_all, &all);
  const int end = g->gpus - 1;
  must(heddle_copy(g->one[end], &last, (float *)g->out[end].data + g->count - 1, sizeof last));
  must(heddle_sync(g->one[end]));
  row("scan", a, b, a / b, memcmp(&last, &sum, sizeof sum) == 0);
}

static double host_sum(heddle_context *ctx, const float *x, size_t count, float *out) {
  double ms[3];
  for (int i = 0; i < 3; i++) {
    const double begun = now();
    must(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, count, out, NULL));
    ms[i] = now() - begun;
  }
  qsort(ms, 3, sizeof *ms, by_size);
  return ms[1];
}

static void host_row(struct group *g) {
  const size_t count = g->count * (size_t)g->gpus;
  float *x = malloc(count * sizeof *x), one, all;
  if (!x) return;
  for (size_t at = 0; at < count; at += BLOCK)
    memcpy(x + at, g->block, (count - at < BLOCK ? count - at : BLOCK) * sizeof *x);
  const double a = host_sum(g->one[0], x, count, &one), b = host_sum(g->all, x, count, &all);
  row("sum of a host array", a, b, a / b / g->gpus, memcmp(&one, &all, sizeof one) == 0);
  free(x);
}

/* ---- the array ---------------------------------------------------------------------------------- */

static void fill(struct group *g, int i) {
  const size_t bytes = g->count * sizeof(float);
  must(heddle_device_alloc(g->one[i], bytes, &g->in[i].data));
  must(heddle_device_alloc(g->one[i], bytes, &g->out[i].data));
  g->in[i].count = g->out[i].count = g->count;
  for (size_t at = 0; at < g->count; at += BLOCK)
    must(heddle_copy(g->one[i], (float *)g->in[i].data + at, g->block, BLOCK * sizeof(float)));
  must(heddle_sync(g->one[i]));
}

static int members(const char *device) {
  int n = 1;
  for (; *device; device++) n += *device == ',';
  return n;
}

int main(int argc, char **argv) {
  struct group g = {0};
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  const size_t mib = argc > 1 ? (size_t)atol(argv[1]) : 2048;
  unsigned long long word = 1;
  must(heddle_open(argc > 2 ? argv[2] : "cuda:all", &g.all));
  must(heddle_info(g.all, &info));
  g.gpus = members(info.device);
  g.count = (mib << 18) / BLOCK * BLOCK;
  g.block = malloc(BLOCK * sizeof *g.block);
  if (!g.block || !g.count || g.gpus > MOST) return 1;
  for (size_t i = 0; i < BLOCK; i++) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    g.block[i] = (float)(word >> 40) / (1 << 24) - 0.25f;
  }
  for (int i = 0; i < g.gpus; i++) {
    char name[32];
    const size_t kind = strcspn(info.device, ":");
    (void)snprintf(name, sizeof name, "%.*s:%d", (int)kind, info.device, i);
    must(heddle_open(name, &g.one[i]));
    fill(&g, i);
  }
  printf("%s: %s, %d of them, %zu MiB each\n", info.device, info.name, g.gpus,
         g.count * sizeof(float) >> 20);
  device_rows(&g);
  host_row(&g);
  for (int i = 0; i < g.gpus; i++) {
    must(heddle_device_free(g.one[i], g.in[i].data));
    must(heddle_device_free(g.one[i], g.out[i].data));
    heddle_close(g.one[i]);
  }
  heddle_close(g.all);
  free(g.block);
  return 0;
}
