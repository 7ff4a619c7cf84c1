/* heddle.c - conformance.c on Heddle itself; an example of a library's side of it
 *
 * Build     cc -o check heddle.c $(pkg-config --cflags --libs heddle) && ./check
 * Method    Each function is one call on the device of $HEDDLE_DEVICE. A call that fails ends the check.
 */
#include "conformance.c"

#include <heddle.h>

static heddle_context *ctx;
static const heddle_options exactly = {sizeof exactly, .exact = 1};

static void must(heddle_status status) {
  if (status == HEDDLE_OK) return;
  fprintf(stderr, "%s\n", heddle_message());
  exit(2);
}

static heddle_context *context(void) {
  if (!ctx) must(heddle_open(NULL, &ctx));
  return ctx;
}

static float fold_f32(heddle_op op, const float *in, size_t n, const heddle_options *options) {
  float result;
  must(heddle_reduce(context(), op, HEDDLE_F32, in, n, &result, options));
  return result;
}
static float product_f32(const float *a, const float *b, size_t n, const heddle_options *options) {
  float result;
  must(heddle_dot(context(), HEDDLE_F32, a, b, n, &result, options));
  return result;
}
static void scan_f32(const float *in, float *to, size_t n) {
  must(heddle_scan(context(), HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, in, n, to, NULL));
}
static float sum_f32(const float *in, size_t n) { return fold_f32(HEDDLE_SUM, in, n, NULL); }
static float min_f32(const float *in, size_t n) { return fold_f32(HEDDLE_MIN, in, n, NULL); }
static float max_f32(const float *in, size_t n) { return fold_f32(HEDDLE_MAX, in, n, NULL); }
static float exact_sum_f32(const float *in, size_t n) {
  return fold_f32(HEDDLE_SUM, in, n, &exactly);
}
static float dot_f32(const float *a, const float *b, size_t n) {
  return product_f32(a, b, n, NULL);
}
static float exact_dot_f32(const float *a, const float *b, size_t n) {
  return product_f32(a, b, n, &exactly);
}

static double fold_f64(heddle_op op, const double *in, size_t n, const heddle_options *options) {
  double result;
  must(heddle_reduce(context(), op, HEDDLE_F64, in, n, &result, options));
  return result;
}
static double product_f64(const double *a, const double *b, size_t n,
                          const heddle_options *options) {
  double result;
  must(heddle_dot(context(), HEDDLE_F64, a, b, n, &result, options));
  return result;
}
static void scan_f64(const double *in, double *to, size_t n) {
  must(heddle_scan(context(), HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F64, in, n, to, NULL));
}
static double sum_f64(const double *in, size_t n) { return fold_f64(HEDDLE_SUM, in, n, NULL); }
static double min_f64(const double *in, size_t n) { return fold_f64(HEDDLE_MIN, in, n, NULL); }
static double max_f64(const double *in, size_t n) { return fold_f64(HEDDLE_MAX, in, n, NULL); }
static double exact_sum_f64(const double *in, size_t n) {
  return fold_f64(HEDDLE_SUM, in, n, &exactly);
}
static double dot_f64(const double *a, const double *b, size_t n) {
  return product_f64(a, b, n, NULL);
}
static double exact_dot_f64(const double *a, const double *b, size_t n) {
  return product_f64(a, b, n, &exactly);
}

const struct conformance under_test = {
    .sum_f32 = sum_f32,
    .sum_f64 = sum_f64,
    .dot_f32 = dot_f32,
    .dot_f64 = dot_f64,
    .scan_f32 = scan_f32,
    .scan_f64 = scan_f64,
    .min_f32 = min_f32,
    .min_f64 = min_f64,
    .max_f32 = max_f32,
    .max_f64 = max_f64,
    .exact_sum_f32 = exact_sum_f32,
    .exact_sum_f64 = exact_sum_f64,
    .exact_dot_f32 = exact_dot_f32,
    .exact_dot_f64 = exact_dot_f64,
};
