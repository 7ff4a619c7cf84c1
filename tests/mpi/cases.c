/* cases.c - each call on each array and each cut, compared with the plain call bit by bit */
#include "cases.h"

#include <heddle_mpi.h>

MPI_Comm comm;
int rank, ranks;

enum { MOST = 30000, BINS = 37 };

static uint64_t word(uint64_t seed, uint64_t i) { /* splitmix64 */
  uint64_t z = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Numbers of two signs about 1, of which a few are thousands. */
static double number(uint64_t seed, uint64_t i) {
  const uint64_t w = word(seed, i);
  const double x = (double)(w >> 11) * 0x1p-53 + 0.25;
  return (w & 1 ? -x : x) * ((w & 0x7E) == 0 ? 5000 : 1);
}

void fill_f32(float *x, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; i++) x[i] = (float)number(seed, i);
}

size_t first(size_t count, enum cut cut, int of) {
  const size_t n = (size_t)ranks, r = (size_t)of;
  if (of == 0) return 0;
  if (of >= ranks) return count;
  switch (cut) {
  case EVEN: return count / n * r;
  case UNEVEN:
    return (size_t)(word(99, r) % 3 ? count * r * r / (n * n)
                                    : count * (r - 1) * (r - 1) / (n * n));
  case LAST_HAS_ALL: return 0;
  case FIRST_HAS_ALL: return count;
  case ONE_EACH: return r < count ? r : count;
  default: return r * 2048 < count ? r * 2048 : count;
  }
}

/* ---- one call, whole and in parts ---------------------------------------------------------- */

/* f32 and f64 of one kind of numbers, integers of all bits. */
static union {
  float f32[MOST];
  double f64[MOST];
  int32_t i32[MOST];
  uint16_t u16[MOST];
} x, y;
static double whole[MOST], part[MOST];

static void fill(heddle_type type, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (type == HEDDLE_F32) x.f32[i] = (float)number(1, i), y.f32[i] = (float)number(2, i);
    if (type == HEDDLE_F64) x.f64[i] = number(3, i), y.f64[i] = number(4, i);
    if (type == HEDDLE_I32) x.i32[i] = (int32_t)word(5, i), y.i32[i] = (int32_t)word(6, i);
    if (type == HEDDLE_F16) x.u16[i] = (uint16_t)(word(7, i) & 0xBFFF), y.u16[i] = x.u16[i];
  }
}

/* What every call needs: the array, this rank's part, and options. */
struct job {
  heddle_context *ctx;
  heddle_type type;
  heddle_options options;
  heddle_op op;
  size_t count, from, n;
  enum cut cut;
};

static const char *at(const struct job *j, const void *array) {
  return (const char *)array + j->from * heddle_type_size(j->type);
}

static int same(heddle_status a, heddle_status b, size_t bytes) {
  return a == b && (a != HEDDLE_OK || memcmp(whole, part, bytes) == 0);
}

static void reduces(const struct job *j, const char *what) {
  memset(whole, 0, 16);
  memset(part, 0, 16);
  const heddle_status a = heddle_reduce(j->ctx, j->op, j->type, &x, j->count, whole, &j->options);
  const heddle_status b =
      heddle_mpi_reduce(comm, j->ctx, j->op, j->type, at(j, &x), j->n, part, &j->options);
  expect(same(a, b, 16), what, j->count, j->cut);
}

static void dots(const struct job *j, const char *what) {
  memset(whole, 0, 16);
  memset(part, 0, 16);
  const heddle_status a = heddle_dot(j->ctx, j->type, &x, &y, j->count, whole, &j->options);
  const heddle_status b =
      heddle_mpi_dot(comm, j->ctx, j->type, at(j, &x), at(j, &y), j->n, part, &j->options);
  expect(same(a, b, 16), what, j->count, j->cut);
}

static void argreduces(const struct job *j, heddle_extreme which, const char *what) {
  uint64_t i = 0, k = 0;
  memset(whole, 0, 16);
  memset(part, 0, 16);
  const heddle_status a =
      heddle_argreduce(j->ctx, which, j->type, &x, j->count, whole, &i, &j->options);
  const heddle_status b =
      heddle_mpi_argreduce(comm, j->ctx, which, j->type, at(j, &x), j->n, part, &k, &j->options);
  expect(same(a, b, 16) && i == k, what, j->count, j->cut);
}

static void describes(const struct job *j, const char *what) {
  heddle_description a = HEDDLE_DESCRIPTION_INIT, b = HEDDLE_DESCRIPTION_INIT;
  const heddle_status s = heddle_describe(j->ctx, j->type, &x, j->count, &a, &j->options);
  const heddle_status t =
      heddle_mpi_describe(comm, j->ctx, j->type, at(j, &x), j->n, &b, &j->options);
  expect(s == t && memcmp(&a, &b, sizeof a) == 0, what, j->count, j->cut);
}

static void scans(const struct job *j, heddle_scan_kind kind, const char *what) {
  heddle_type out;
  if (heddle_result_type(HEDDLE_SCAN, j->op, j->type, &j->options, &out, NULL) != HEDDLE_OK) return;
  const size_t bytes = heddle_type_size(out);
  const heddle_status a =
      heddle_scan(j->ctx, j->op, kind, j->type, &x, j->count, whole, &j->options);
  const heddle_status b =
      heddle_mpi_scan(comm, j->ctx, j->op, kind, j->type, at(j, &x), j->n, part, &j->options);
  const char *mine = (const char *)whole + j->from * bytes;
  expect(a == HEDDLE_OK && b == HEDDLE_OK && memcmp(mine, part, j->n * bytes) == 0, what, j->count,
         j->cut);
}

/* f32 elements in even bins, weighed by y: 0 not, 1 by rule 14, 2 exactly. */
static void histograms(const struct job *j, int weighed, const char *what) {
  uint64_t counts[2][BINS];
  double sums[2][BINS];
  heddle_histogram_result results[2] = {HEDDLE_HISTOGRAM_RESULT_INIT, HEDDLE_HISTOGRAM_RESULT_INIT};
  heddle_histogram_options o = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.count = BINS;
  bins.lo = -3;
  bins.hi = 2;
  memset(sums, 0, sizeof sums);
  if (weighed) {
    o.weights_type = HEDDLE_F32;
    o.weight_exponent = 14;
    o.exact = weighed == 2;
    o.weights = &y;
    o.sums = sums[0];
  }
  const heddle_status a =
      heddle_histogram(j->ctx, j->type, &x, j->count, &bins, counts[0], &results[0], &o);
  o.weights = NULL;
  if (weighed) o.sums = sums[1];
  const heddle_status b =
      heddle_mpi_histogram(comm, j->ctx, j->type, at(j, &x), weighed ? at(j, &y) : NULL, j->n,
                           &bins, counts[1], &results[1], &o);
  expect(a == HEDDLE_OK && b == HEDDLE_OK && memcmp(counts[0], counts[1], sizeof counts[0]) == 0 &&
             memcmp(sums[0], sums[1], sizeof sums[0]) == 0 &&
             memcmp(&results[0], &results[1], sizeof results[0]) == 0,
         what, j->count, j->cut);
}

static void quantiles(const struct job *j, const char *what) {
  static const double q[] = {0.5, 0, 0.99, 1.0 / 3};
  enum { SHARES = sizeof q / sizeof *q };
  const heddle_status a = heddle_quantiles(j->ctx, j->type, &x, j->count, q, SHARES, whole, NULL);
  const heddle_status b =
      heddle_mpi_quantiles(comm, j->ctx, j->type, at(j, &x), j->n, q, SHARES, part, NULL);
  expect(a == b && (a != HEDDLE_OK || memcmp(whole, part, sizeof q) == 0), what, j->count, j->cut);
}

/* ---- an operator that is not commutative: u32 maps v -> a v + b, as pairs ------------------- */

static heddle_status after(void *acc, const void *in, size_t n, void *user) {
  uint32_t *f = acc;
  const uint32_t *g = in;
  (void)user;
  for (size_t i = 0; i < n; i++) {
    f[2 * i + 1] = g[2 * i] * f[2 * i + 1] + g[2 * i + 1];
    f[2 * i] *= g[2 * i];
  }
  return HEDDLE_OK;
}

static heddle_status pairs(void *out, const void *in, size_t n, void *user) {
  const uint32_t *f = in;
  for (size_t i = 0; i < n; i++) {
    uint32_t both[2] = {f[4 * i], f[4 * i + 1]};
    (void)after(both, f + 4 * i + 2, 1, user);
    memcpy((uint32_t *)out + 2 * i, both, sizeof both);
  }
  return HEDDLE_OK;
}

static void customs(struct job j) {
  static const uint32_t identity[2] = {1, 0};
  heddle_custom custom = HEDDLE_CUSTOM_INIT;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  custom.element_bytes = 8;
  custom.identity = identity;
  custom.combine = after;
  custom.pairs = pairs;
  custom.cuda_source = "uint2: make_uint2(a.x * b.x, b.x * a.y + b.y)";
  options.custom = &custom;
  const heddle_status a =
      heddle_reduce(j.ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, &x, j.count, whole, &options);
  const heddle_status b = heddle_mpi_reduce(comm, j.ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM,
                                            x.f64 + j.from, j.n, part, &options);
  expect(same(a, b, 8), "a custom operator", j.count, j.cut);
  const heddle_status c = heddle_scan(j.ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE, HEDDLE_CUSTOM, &x,
                                      j.count, whole, &options);
  const heddle_status d = heddle_mpi_scan(comm, j.ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE,
                                          HEDDLE_CUSTOM, x.f64 + j.from, j.n, part, &options);
  expect(c == HEDDLE_OK && d == HEDDLE_OK && memcmp(whole + j.from, part, j.n * 8) == 0,
         "a scan by a custom operator", j.count, j.cut);
}

/* ---- every call ---------------------------------------------------------------------------- */

static void floats(struct job j) {
  const heddle_options standard = HEDDLE_OPTIONS_INIT;
  const double init = 0.1;
  const float init_f32 = 0.1f;
  j.op = HEDDLE_SUM;
  reduces(&j, "sum");
  dots(&j, "dot");
  scans(&j, HEDDLE_INCLUSIVE, "scan");
  scans(&j, HEDDLE_EXCLUSIVE, "exclusive scan");
  argreduces(&j, HEDDLE_ARGMIN, "argmin");
  argreduces(&j, HEDDLE_ARGMAX, "argmax");
  describes(&j, "describe");
  j.options.exact = 1;
  reduces(&j, "exact sum");
  dots(&j, "exact dot");
  j.options = standard;
  j.options.acc_type = HEDDLE_F64;
  j.options.out_type = HEDDLE_F64;
  j.options.init = &init;
  reduces(&j, "sum in f64 with init");
  scans(&j, HEDDLE_EXCLUSIVE, "exclusive scan in f64 with init");
  j.options = standard;
  if (j.type == HEDDLE_F32) {
    j.options.init = &init_f32;
    scans(&j, HEDDLE_INCLUSIVE, "scan with init");
    j.options = standard;
    for (int weighed = 0; weighed < 3; weighed++) histograms(&j, weighed, "histogram");
  }
  /* Two of all arrays: a rank's counters are 512 KiB. */
  if (j.cut == UNEVEN && j.type == HEDDLE_F32 && (j.count == 0 || j.count == 6149))
    quantiles(&j, "quantiles");
  j.op = HEDDLE_MIN;
  reduces(&j, "min");
  scans(&j, HEDDLE_INCLUSIVE, "running min");
  j.op = HEDDLE_SUM_SQUARES;
  reduces(&j, "sum of squares");
}

static void integers(struct job j) {
  static const heddle_op ops[] = {HEDDLE_SUM, HEDDLE_PROD, HEDDLE_MAX, HEDDLE_XOR, HEDDLE_ALL};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    j.op = ops[i];
    reduces(&j, "integers");
  }
  j.op = HEDDLE_SUM;
  scans(&j, HEDDLE_INCLUSIVE, "scan of integers");
  dots(&j, "dot of integers");
  argreduces(&j, HEDDLE_ARGMAX, "argmax of integers");
}

void every_call(heddle_context *ctx) {
  static const size_t counts[] = {0, 1, 2, 9, 127, 1024, 2047, 2049, 6149, 13 * 2048 + 777};
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_F16, HEDDLE_I32};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      for (int cut = 0; cut < CUTS; cut++) {
        struct job j = {ctx, types[t], HEDDLE_OPTIONS_INIT, HEDDLE_SUM, counts[c],
                        0,   0,        (enum cut)cut};
        j.from = first(j.count, j.cut, rank);
        j.n = first(j.count, j.cut, rank + 1) - j.from;
        fill(j.type, j.count);
        if (j.type == HEDDLE_I32)
          integers(j);
        else
          floats(j);
        if (j.type == HEDDLE_F64) customs(j);
      }
}
