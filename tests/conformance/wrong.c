/* wrong.c - libraries that break one rule each: conformance.c has to name it
 *
 * Use       WRONG=loop ./wrong FOLDER; test_conformance.py has the list. Without WRONG all is right.
 * Method    Sums, dots and minima are written anew; running totals and exact sums are Heddle's, but for
 *           those that are wrong. */
#include "conformance.c"

#include <float.h>
#include <math.h>

#include <heddle.h>

static int is(const char *mistake) {
  static const char *wanted;
  if (!wanted) wanted = getenv("WRONG") ? getenv("WRONG") : "";
  return !strcmp(wanted, mistake);
}

#define LEAST_f32 FLT_MIN
#define LEAST_f64 DBL_MIN
#define FMA_f32 fmaf
#define FMA_f64 fma

#define REAL float
#define NAME(x) x##_f32
#define LANES 128
#include "wrong_tmpl.h"

#define REAL double
#define NAME(x) x##_f64
#define LANES 64
#include "wrong_tmpl.h"

static heddle_context *context(void) {
  static heddle_context *ctx;
  if (!ctx && heddle_open("cpu:1", &ctx) != HEDDLE_OK) exit(2);
  return ctx;
}

/* Heddle's exact sum of n elements, or of n products if b is given, as an element of `to`. */
static void exactly(heddle_type type, const void *a, const void *b, size_t n, heddle_type to,
                    void *result) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.exact = 1;
  options.out_type = to;
  if ((b ? heddle_dot(context(), type, a, b, n, result, &options)
         : heddle_reduce(context(), HEDDLE_SUM, type, a, n, result, &options)) != HEDDLE_OK)
    exit(2);
}

static float exact_f32(const float *a, size_t n) {
  double wide = 0;
  float s;
  if (is("in-order")) return sum_f32(a, n);
  if (is("compensated")) return compensated_f32(a, n);
  if (is("in-double")) {
    for (size_t i = 0; i < n; i++) wide += (double)a[i];
    return canonical_f32((float)wide);
  }
  exactly(HEDDLE_F32, a, NULL, n, HEDDLE_F64, &wide);
  exactly(HEDDLE_F32, a, NULL, n, HEDDLE_F32, &s);
  return is("twice") ? (float)wide : s;
}

static double exact_f64(const double *a, size_t n) {
  double s;
  if (is("in-order")) return sum_f64(a, n);
  if (is("compensated")) return compensated_f64(a, n);
  exactly(HEDDLE_F64, a, NULL, n, HEDDLE_F64, &s);
  return is("minus-zero") && s == 0 ? -0.0 : s;
}

static float exact_dot_f32(const float *a, const float *b, size_t n) {
  double wide = 0;
  float s;
  for (size_t i = 0; i < n; i++) wide += (double)a[i] * (double)b[i];
  exactly(HEDDLE_F32, a, b, n, HEDDLE_F32, &s);
  return is("in-double") ? canonical_f32((float)wide) : s;
}

static double exact_dot_f64(const double *a, const double *b, size_t n) {
  static double products[1 << 20];
  double s;
  for (size_t i = 0; i < n; i++) products[i] = a[i] * b[i];
  exactly(HEDDLE_F64, is("rounded-products") ? products : a, is("rounded-products") ? NULL : b, n,
          HEDDLE_F64, &s);
  return s;
}

/* Right, or a loop, or exclusive. */
static void scan(heddle_type type, const void *in, void *result, size_t n) {
  const heddle_scan_kind kind = is("exclusive") ? HEDDLE_EXCLUSIVE : HEDDLE_INCLUSIVE;
  if (heddle_scan(context(), HEDDLE_SUM, kind, type, in, n, result, NULL) != HEDDLE_OK) exit(2);
}

static void scan_f32(const float *in, float *result, size_t n) {
  if (is("running"))
    running_f32(in, result, n);
  else
    scan(HEDDLE_F32, in, result, n);
}

static void scan_f64(const double *in, double *result, size_t n) {
  if (is("running"))
    running_f64(in, result, n);
  else
    scan(HEDDLE_F64, in, result, n);
}

const struct conformance under_test = {.sum_f32 = sum_f32,
                                       .sum_f64 = sum_f64,
                                       .dot_f32 = dot_f32,
                                       .dot_f64 = dot_f64,
                                       .scan_f32 = scan_f32,
                                       .scan_f64 = scan_f64,
                                       .min_f32 = min_f32,
                                       .min_f64 = min_f64,
                                       .exact_sum_f32 = exact_f32,
                                       .exact_sum_f64 = exact_f64,
                                       .exact_dot_f32 = exact_dot_f32,
                                       .exact_dot_f64 = exact_dot_f64};
