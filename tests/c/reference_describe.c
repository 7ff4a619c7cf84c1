/* reference_describe.c - rule 9: count, mean, variance and skewness
 *
 * Result    ref_describe
 * Method    a full chunk: the mean from the lane fold of its values, then the lane folds of
 *           d d and (d d) d about it; above, and in the last short chunk, merging by Chan's
 *           and Pebay's formulas in exactly the order that is written here
 * Source    Chan, Golub and LeVeque 1979; Pebay 2008 */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 64, CHUNK = 1024 };

/* An element is a moment with n = 1, or n = 0 if it is left out. */
typedef struct moments {
  double n, mean, m2, m3;
} moments;

static moments merge(moments a, moments b) {
  if (b.n == 0) return a;
  if (a.n == 0) return b;
  const double n = a.n + b.n;
  const double delta = b.mean - a.mean;
  const double r = delta / n;
  const double t = delta * r;
  const double u = a.n * b.n;
  const double m2 = (a.m2 + b.m2) + t * u;
  const double m3 =
      ((a.m3 + b.m3) + ((t * r) * u) * (a.n - b.n)) + (3.0 * r) * ((a.n * b.m2) - (b.n * a.m2));
  const int apart = isinf(delta) && isfinite(a.mean) && isfinite(b.mean);
  const double mean = apart ? a.mean * (a.n / n) + b.mean * (b.n / n) : a.mean + r * b.n;
  return (moments){n, mean, m2, m3};
}

static void merge_onto(void *acc, const void *x, const void *user) {
  (void)user;
  moments a, b;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, x, sizeof b);
  a = merge(a, b);
  memcpy(acc, &a, sizeof a);
}

static void add_onto(void *acc, const void *x, const void *user) {
  (void)user;
  double a, b;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, x, sizeof b);
  a += b;
  memcpy(acc, &a, sizeof a);
}

static double lane_fold(const double *x) {
  const ref_order order = {sizeof(double), LANES, 0, add_onto, NULL, NULL};
  double total;
  ref_fold_lanes(&order, x, &total);
  return total;
}

static void chunk_moments(void *total, const void *chunk, const void *user) {
  (void)user;
  const moments *x = chunk;
  double terms[CHUNK];
  moments m = {0, 0, 0, 0};
  for (size_t i = 0; i < CHUNK; i++) {
    m.n += x[i].n;
    terms[i] = x[i].n == 0 ? -0.0 : x[i].mean;
  }
  if (m.n > 0) {
    m.mean = lane_fold(terms) / m.n;
    int finite = 1;
    for (size_t i = 0; i < CHUNK; i++) finite &= isfinite(terms[i]) != 0;
    if (finite && !isfinite(m.mean)) {
      for (size_t i = 0; i < CHUNK; i++) terms[i] *= 0x1p-11;
      m.mean = lane_fold(terms) / m.n * 0x1p11;
      if (isinf(m.mean)) m.mean = copysign(DBL_MAX, m.mean);
    }
    for (size_t i = 0; i < CHUNK; i++) {
      const double d = x[i].n == 0 ? 0.0 : x[i].mean - m.mean;
      terms[i] = d * d;
    }
    m.m2 = lane_fold(terms);
    for (size_t i = 0; i < CHUNK; i++) {
      const double d = x[i].n == 0 ? 0.0 : x[i].mean - m.mean;
      terms[i] = (d * d) * d;
    }
    m.m3 = lane_fold(terms);
  }
  memcpy(total, &m, sizeof m);
}

static double canonical(double v) {
  double out;
  ref_store(HEDDLE_F64, (ref_value){v, 0}, HEDDLE_F64, &out, 0);
  return out;
}

/* Counts, min and max: no order matters. Leaves out what is skipped from x and values. */
static void count(const double *values, size_t n, int skip, heddle_description *d, moments *x) {
  ref_value least = ref_identity(HEDDLE_MIN, HEDDLE_F64);
  ref_value most = ref_identity(HEDDLE_MAX, HEDDLE_F64);
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    const ref_value v = {values[i], 0};
    const int left_out = isnan(v.f) && skip;
    d->nan += isnan(v.f) != 0;
    d->infinite += isinf(v.f) != 0;
    x[i] = left_out ? (moments){0, 0, 0, 0} : (moments){1, v.f, 0, 0};
    if (left_out) continue;
    kept++;
    least = ref_apply(HEDDLE_MIN, HEDDLE_F64, least, v);
    most = ref_apply(HEDDLE_MAX, HEDDLE_F64, most, v);
  }
  d->count = n;
  d->min = canonical(kept ? least.f : (double)NAN);
  d->max = canonical(kept ? most.f : (double)NAN);
}

heddle_status ref_describe(heddle_type type, const void *in, size_t n, heddle_description *out,
                           const heddle_options *options) {
  const heddle_options none = HEDDLE_OPTIONS_INIT;
  if (!options) options = &none;
  double *values = malloc(n * sizeof *values + 1);
  moments *x = malloc(n * sizeof *x + 1);
  if (!values || !x) abort();
  for (size_t i = 0; i < n; i++) values[i] = ref_double(type, in, i);
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  count(values, n, options->nan == HEDDLE_NAN_SKIP, &d, x);

  const ref_order order = {sizeof(moments), LANES, 0, merge_onto, chunk_moments, NULL};
  moments m = {0, 0, 0, 0};
  if (n) ref_fold(&order, x, n, &m);
  const int propagates = d.nan > 0 && options->nan == HEDDLE_NAN_PROPAGATE;
  const double variance = propagates ? (double)NAN : m.m2 / m.n;
  double skewness = (m.m3 / m.n) / (variance * sqrt(variance));
  if (variance == 0) skewness = (double)NAN;
  d.mean = canonical(m.n == 0 ? (double)NAN : m.mean);
  d.variance = canonical(variance);
  d.skewness = canonical(skewness);
  heddle_options sum_options = HEDDLE_OPTIONS_INIT;
  sum_options.nan = options->nan;
  sum_options.acc_type = sum_options.out_type = HEDDLE_F64;
  const heddle_status status = ref_reduce(HEDDLE_SUM, HEDDLE_F64, values, n, &d.sum, &sum_options);
  if (m.n == 0) d.sum = 0.0; /* of no values, although each that is skipped is -0.0 to reduce */
  *out = d;
  free(x);
  free(values);
  return status;
}
