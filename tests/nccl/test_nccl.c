/* test_nccl.c - heddle_nccl.h over ranks that are threads, each with a GPU of its own, against the whole call on a CPU
 *
 *   test_nccl [RANKS]    at most as many as there are GPUs, which is the default
 *
 * Compiled with the headers of CUDA and NCCL it is about GPUs; with those of stand_in/ about threads of a host,
 * whose contexts are CPUs: the same calls, cuts and merges. Cuts are random, some ranks hold nothing. */
#include <heddle_nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RANKS = 16, LENGTH = 50000, BINS = 20000 };

struct rank {
  ncclComm_t comm;
  int rank, ranks, failures;
  heddle_context *ctx, *cpu; /* its own, and one for the whole array */
  heddle_nccl nccl;
};

static const float *whole_f32;
static const double *whole_f64;
static const int *whole_i32;

/* The same numbers on every rank. */
static unsigned long long word(unsigned long long seed) {
  unsigned long long z = seed * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static void cut(int ranks, unsigned long long seed, size_t cuts[MOST_RANKS + 1]) {
  cuts[0] = 0, cuts[ranks] = LENGTH;
  for (int i = 1; i < ranks; i++) {
    size_t at = word(seed * 31 + (unsigned)i) % (LENGTH + 1);
    if (seed % 3 == 1) at = at / 1024 * 1024;
    if (seed % 5 == 2) at = i % 2 ? 0 : LENGTH;
    cuts[i] = at;
  }
  for (int i = 1; i < ranks; i++)
    for (int k = i; k > 1 && cuts[k] < cuts[k - 1]; k--) {
      const size_t t = cuts[k];
      cuts[k] = cuts[k - 1], cuts[k - 1] = t;
    }
}

static void expect(struct rank *r, int right, const char *what) {
  if (right) return;
  r->failures++;
  printf("rank %d of %d: %s: %s\n", r->rank, r->ranks, what, heddle_nccl_message(&r->nccl));
}

/* This rank's piece in memory of its device; to be freed there. */
static void *piece(struct rank *r, const void *whole, size_t from, size_t to, size_t size) {
  void *memory = NULL;
  if (heddle_device_alloc(r->ctx, (to - from) * size + 16, &memory) ||
      heddle_copy(r->ctx, memory, (const char *)whole + from * size, (to - from) * size))
    expect(r, 0, heddle_message());
  return memory;
}

static void folds(struct rank *r, size_t from, size_t n, const float *x, const double *y,
                  const int *k) {
  heddle_options exact = HEDDLE_OPTIONS_INIT;
  float f[2];
  double d[2];
  int i[2];
  uint64_t at[2];
  heddle_description a = HEDDLE_DESCRIPTION_INIT, b = HEDDLE_DESCRIPTION_INIT;
  (void)from;
  exact.exact = 1;
  expect(r,
         !heddle_nccl_reduce(&r->nccl, HEDDLE_SUM, HEDDLE_F32, x, n, &f[0], NULL) &&
             !heddle_reduce(r->cpu, HEDDLE_SUM, HEDDLE_F32, whole_f32, LENGTH, &f[1], NULL) &&
             !memcmp(&f[0], &f[1], sizeof *f),
         "sum of f32");
  expect(r,
         !heddle_nccl_reduce(&r->nccl, HEDDLE_SUM, HEDDLE_F64, y, n, &d[0], &exact) &&
             !heddle_reduce(r->cpu, HEDDLE_SUM, HEDDLE_F64, whole_f64, LENGTH, &d[1], &exact) &&
             !memcmp(&d[0], &d[1], sizeof *d),
         "exact sum of f64");
  expect(r,
         !heddle_nccl_reduce(&r->nccl, HEDDLE_MAX, HEDDLE_I32, k, n, &i[0], NULL) &&
             !heddle_reduce(r->cpu, HEDDLE_MAX, HEDDLE_I32, whole_i32, LENGTH, &i[1], NULL) &&
             i[0] == i[1],
         "max of i32");
  expect(r,
         !heddle_nccl_argreduce(&r->nccl, HEDDLE_ARGMIN, HEDDLE_F32, x, n, &f[0], &at[0], NULL) &&
             !heddle_argreduce(r->cpu, HEDDLE_ARGMIN, HEDDLE_F32, whole_f32, LENGTH, &f[1], &at[1],
                               NULL) &&
             at[0] == at[1] && !memcmp(&f[0], &f[1], sizeof *f),
         "argmin of f32");
  expect(r,
         !heddle_nccl_dot(&r->nccl, HEDDLE_F64, y, y, n, &d[0], NULL) &&
             !heddle_dot(r->cpu, HEDDLE_F64, whole_f64, whole_f64, LENGTH, &d[1], NULL) &&
             !memcmp(&d[0], &d[1], sizeof *d),
         "dot of f64");
  expect(r,
         !heddle_nccl_describe(&r->nccl, HEDDLE_F32, x, n, &a, NULL) &&
             !heddle_describe(r->cpu, HEDDLE_F32, whole_f32, LENGTH, &b, NULL) &&
             !memcmp(&a, &b, sizeof a),
         "describe of f32");
}

/* A result that is to be device memory. */
static void device_result(struct rank *r, const float *x, size_t n) {
  float wanted, got = 0;
  void *out = piece(r, &got, 0, 1, sizeof got);
  expect(r,
         !heddle_nccl_reduce(&r->nccl, HEDDLE_SUM, HEDDLE_F32, x, n, out, NULL) &&
             !heddle_copy(r->ctx, &got, out, sizeof got) && !heddle_sync(r->ctx) &&
             !heddle_reduce(r->cpu, HEDDLE_SUM, HEDDLE_F32, whole_f32, LENGTH, &wanted, NULL) &&
             !memcmp(&wanted, &got, sizeof got),
         "sum to device memory");
  (void)!heddle_device_free(r->ctx, out);
}

static void scans(struct rank *r, size_t from, size_t n, const float *x) {
  static const heddle_scan_kind kinds[] = {HEDDLE_INCLUSIVE, HEDDLE_EXCLUSIVE};
  float *wanted = (float *)malloc(LENGTH * sizeof *wanted),
        *got = (float *)malloc(LENGTH * sizeof *got);
  void *out = piece(r, whole_f32, from, from + n, sizeof(float));
  for (int kind = 0; kind < 2; kind++) {
    expect(r,
           !heddle_nccl_scan(&r->nccl, HEDDLE_SUM, kinds[kind], HEDDLE_F32, x, n, out, NULL) &&
               !heddle_copy(r->ctx, got, out, n * sizeof *got) && !heddle_sync(r->ctx) &&
               !heddle_scan(r->cpu, HEDDLE_SUM, kinds[kind], HEDDLE_F32, whole_f32, LENGTH, wanted,
                            NULL) &&
               !memcmp(wanted + from, got, n * sizeof *got),
           "scan of f32");
  }
  (void)!heddle_device_free(r->ctx, out);
  free(wanted);
  free(got);
}

/* So many bins that their tables need a second message. */
static void histograms(struct rank *r, size_t n, const float *x, const double *w) {
  heddle_bins bins = HEDDLE_BINS_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  uint64_t *counts = (uint64_t *)calloc(2 * BINS, sizeof *counts);
  double *sums = (double *)calloc(2 * BINS, sizeof *sums);
  bins.count = BINS, bins.lo = -3, bins.hi = 3;
  options.weights_type = HEDDLE_F64, options.weight_exponent = 70;
  options.sums = sums;
  expect(r, !heddle_nccl_histogram(&r->nccl, HEDDLE_F32, x, w, n, &bins, counts, NULL, &options),
         "histogram");
  options.weights = whole_f64, options.sums = sums + BINS;
  expect(r,
         !heddle_histogram(r->cpu, HEDDLE_F32, whole_f32, LENGTH, &bins, counts + BINS, NULL,
                           &options) &&
             !memcmp(counts, counts + BINS, BINS * sizeof *counts) &&
             !memcmp(sums, sums + BINS, BINS * sizeof *sums),
         "histogram with weights");
  free(counts);
  free(sums);
}

/* One rank's mistake is everyone's status. */
static void failures(struct rank *r, const float *x, size_t n) {
  const int last = r->ranks - 1;
  float out;
  const heddle_type type = r->rank == last ? (heddle_type)99 : HEDDLE_F32;
  const heddle_status status = heddle_nccl_reduce(&r->nccl, HEDDLE_SUM, type, x, n, &out, NULL);
  char wanted[32];
  (void)snprintf(wanted, sizeof wanted, "rank %d: ", last);
  expect(r, status == HEDDLE_BAD_ARGUMENT && strstr(heddle_nccl_message(&r->nccl), wanted),
         "a failure of the last rank");
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.start = r->rank == 0 ? 5 : 0;
  expect(r,
         heddle_nccl_reduce(&r->nccl, HEDDLE_SUM, HEDDLE_F32, x, n, &out, &options) ==
                 HEDDLE_BAD_ARGUMENT &&
             strstr(heddle_nccl_message(&r->nccl), "rank 0: options->start"),
         "a start");
}

static void *run(void *arg) {
  struct rank *r = (struct rank *)arg;
  char device[32] = "cpu:1";
#ifndef STAND_IN_NCCL_H
  (void)snprintf(device, sizeof device, "cuda:%d", r->rank);
#endif
  if (cudaSetDevice(r->rank) != cudaSuccess || heddle_open(device, &r->ctx) ||
      heddle_open("cpu:1", &r->cpu) || heddle_nccl_begin(&r->nccl, r->comm, 0, r->ctx)) {
    fprintf(stderr, "rank %d: %s %s\n", r->rank, heddle_message(), heddle_nccl_message(&r->nccl));
    exit(1); /* the others would wait for it */
  }
  for (unsigned seed = 0; seed < 8; seed++) {
    size_t cuts[MOST_RANKS + 1];
    cut(r->ranks, seed, cuts);
    const size_t from = cuts[r->rank], to = cuts[r->rank + 1], n = to - from;
    float *x = (float *)piece(r, whole_f32, from, to, sizeof *x);
    double *y = (double *)piece(r, whole_f64, from, to, sizeof *y);
    int *k = (int *)piece(r, whole_i32, from, to, sizeof *k);
    folds(r, from, n, x, y, k);
    device_result(r, x, n);
    scans(r, from, n, x);
    histograms(r, n, x, y);
    failures(r, x, n);
    (void)!heddle_device_free(r->ctx, x);
    (void)!heddle_device_free(r->ctx, y);
    (void)!heddle_device_free(r->ctx, k);
  }
  heddle_nccl_end(&r->nccl);
  heddle_close(r->ctx);
  heddle_close(r->cpu);
  return NULL;
}

static void make_arrays(void) {
  float *f = (float *)malloc(LENGTH * sizeof *f);
  double *d = (double *)malloc(LENGTH * sizeof *d);
  int *i = (int *)malloc(LENGTH * sizeof *i);
  for (unsigned n = 0; n < LENGTH; n++) {
    const unsigned long long w = word(n + 1);
    f[n] = (float)((double)(w >> 40) / (1 << 23) - 1) * (float)(1 << (w & 7));
    d[n] = ((double)(w >> 11) / (1ull << 52) - 1) * (double)(1ull << (w & 63));
    i[n] = (int)(w >> 33);
  }
  whole_f32 = f, whole_f64 = d, whole_i32 = i;
}

int main(int argc, char **argv) {
  struct rank ranks[MOST_RANKS];
  ncclComm_t comms[MOST_RANKS];
  pthread_t threads[MOST_RANKS];
  int count = 0, failures = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return fprintf(stderr, "no GPU\n"), 2;
  if (argc > 1 && atoi(argv[1]) > 0 && atoi(argv[1]) < count) count = atoi(argv[1]);
  if (count > MOST_RANKS) count = MOST_RANKS;
  if (ncclCommInitAll(comms, count, NULL) != ncclSuccess) return fprintf(stderr, "no NCCL\n"), 2;
  make_arrays();
  for (int i = 0; i < count; i++) {
    memset(&ranks[i], 0, sizeof ranks[i]);
    ranks[i].comm = comms[i], ranks[i].rank = i, ranks[i].ranks = count;
    if (pthread_create(&threads[i], NULL, run, &ranks[i])) return 1;
  }
  for (int i = 0; i < count; i++) {
    (void)pthread_join(threads[i], NULL);
    failures += ranks[i].failures;
  }
  for (int i = 0; i < count; i++) (void)ncclCommDestroy(comms[i]);
  free((void *)whole_f32);
  free((void *)whole_f64);
  free((void *)whole_i32);
  printf("%d ranks: %d failures\n", count, failures);
  return failures != 0;
}
