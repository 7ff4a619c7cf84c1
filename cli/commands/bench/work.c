/* work.c - a table of calls, each beside a plain loop that checks its result
 *
 * Method  Checked against plain loops in double: exactly where the result is exact, within the
 *         error of a sum of n rounded terms elsewhere. */
#include "work.h"

#include <math.h>
#include <string.h>

enum { BINS = 100 };

static union {
  float f;
  double d;
  uint64_t index;
} result;
static heddle_description description;

void bench_fill(struct bench_data *d, heddle_type type) {
  uint64_t state = 0x9e3779b97f4a7c15u;
  void *arrays[2] = {d->x, d->y};
  size_t size = heddle_type_size(type), count = d->bytes / size;
  for (size_t a = 0; a < 2; a++) {
    for (size_t i = 0; i < count; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      if (type == HEDDLE_F32)
        ((float *)arrays[a])[i] = (float)(state >> 40) * 0x1p-24f;
      else if (type == HEDDLE_F64)
        ((double *)arrays[a])[i] = (double)(state >> 11) * 0x1p-53;
      else
        ((uint8_t *)arrays[a])[i] = (uint8_t)(state >> 56);
    }
  }
}

static double value(const void *array, heddle_type type, size_t i) {
  return type == HEDDLE_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static double loop_sum(const struct bench_data *d, heddle_type type, bool products) {
  double sum = 0;
  for (size_t i = 0; i < d->bytes / heddle_type_size(type); i++)
    sum += value(d->x, type, i) * (products ? value(d->y, type, i) : 1);
  return sum;
}

static bool is_close(double a, double b, heddle_type type) {
  return fabs(a - b) <= fabs(b) * (type == HEDDLE_F32 ? 1e-5 : 1e-11);
}

static heddle_status sum_f32(struct bench_data *d) {
  return heddle_reduce(d->ctx, HEDDLE_SUM, HEDDLE_F32, d->x, d->bytes / 4, &result, NULL);
}
static heddle_status sum_f64(struct bench_data *d) {
  return heddle_reduce(d->ctx, HEDDLE_SUM, HEDDLE_F64, d->x, d->bytes / 8, &result, NULL);
}
static bool sum_f32_right(struct bench_data *d) {
  return is_close((double)result.f, loop_sum(d, HEDDLE_F32, false), HEDDLE_F32);
}
static bool sum_f64_right(struct bench_data *d) {
  return is_close(result.d, loop_sum(d, HEDDLE_F64, false), HEDDLE_F64);
}

static heddle_status dot_f32(struct bench_data *d) {
  return heddle_dot(d->ctx, HEDDLE_F32, d->x, d->y, d->bytes / 4, &result, NULL);
}
static bool dot_f32_right(struct bench_data *d) {
  return is_close((double)result.f, loop_sum(d, HEDDLE_F32, true), HEDDLE_F32);
}

static heddle_status argmax_f32(struct bench_data *d) {
  return heddle_argreduce(d->ctx, HEDDLE_ARGMAX, HEDDLE_F32, d->x, d->bytes / 4, NULL,
                          &result.index, NULL);
}
static bool argmax_f32_right(struct bench_data *d) {
  const float *x = d->x;
  size_t best = 0;
  for (size_t i = 1; i < d->bytes / 4; i++)
    if (x[i] > x[best]) best = i;
  return best == result.index;
}

static heddle_status describe_f32(struct bench_data *d) {
  const heddle_description none = HEDDLE_DESCRIPTION_INIT;
  description = none;
  return heddle_describe(d->ctx, HEDDLE_F32, d->x, d->bytes / 4, &description, NULL);
}
static bool describe_f32_right(struct bench_data *d) {
  double n = (double)(d->bytes / 4), sum = loop_sum(d, HEDDLE_F32, false), squares = 0;
  for (size_t i = 0; i < d->bytes / 4; i++) {
    double off = value(d->x, HEDDLE_F32, i) - sum / n;
    squares += off * off;
  }
  return description.count == d->bytes / 4 && is_close(description.mean, sum / n, HEDDLE_F64) &&
         is_close(description.variance, squares / n, HEDDLE_F32);
}

static heddle_status scan_f32(struct bench_data *d) {
  return heddle_scan(d->ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, d->x, d->bytes / 4, d->y,
                     NULL);
}
static heddle_status scan_f64(struct bench_data *d) {
  return heddle_scan(d->ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F64, d->x, d->bytes / 8, d->y,
                     NULL);
}
/* Close to the running total everywhere. */
static bool scan_right(struct bench_data *d, heddle_type type) {
  double sum = 0;
  for (size_t i = 0; i < d->bytes / heddle_type_size(type); i++) {
    sum += value(d->x, type, i);
    if (!is_close(value(d->y, type, i), sum, type)) return false;
  }
  return true;
}
static bool scan_f32_right(struct bench_data *d) { return scan_right(d, HEDDLE_F32); }
static bool scan_f64_right(struct bench_data *d) { return scan_right(d, HEDDLE_F64); }

static heddle_bins hundred(void) {
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.count = BINS;
  bins.lo = 0;
  bins.hi = 1;
  return bins;
}
static heddle_status hist_f32(struct bench_data *d) {
  heddle_bins bins = hundred();
  return heddle_histogram(d->ctx, HEDDLE_F32, d->x, d->bytes / 4, &bins, d->counts, NULL, NULL);
}
static bool hist_f32_right(struct bench_data *d) {
  heddle_bins bins = hundred();
  uint64_t counts[BINS] = {0};
  double edges[BINS + 1];
  if (heddle_histogram_edges(HEDDLE_F32, &bins, edges) != HEDDLE_OK) return false;
  for (size_t i = 0; i < d->bytes / 4; i++) {
    double x = value(d->x, HEDDLE_F32, i);
    size_t bin = (size_t)(x * BINS);
    while (bin > 0 && x < edges[bin]) bin--;
    while (bin + 1 < BINS && x >= edges[bin + 1]) bin++;
    counts[bin]++;
  }
  return memcmp(counts, d->counts, sizeof counts) == 0;
}

static heddle_status hist_u8(struct bench_data *d) {
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.kind = HEDDLE_BINS_INTEGER;
  bins.count = 256;
  return heddle_histogram(d->ctx, HEDDLE_U8, d->x, d->bytes, &bins, d->counts, NULL, NULL);
}
static bool hist_u8_right(struct bench_data *d) {
  uint64_t counts[256] = {0};
  for (size_t i = 0; i < d->bytes; i++) counts[((const uint8_t *)d->x)[i]]++;
  return memcmp(counts, d->counts, sizeof counts) == 0;
}

const struct bench_work bench_works[] = {
    {"sum f32", "sum", HEDDLE_F32, 1, false, sum_f32, sum_f32_right},
    {"dot f32", "dot", HEDDLE_F32, 2, false, dot_f32, dot_f32_right},
    {"argmax f32", "argmax", HEDDLE_F32, 1, false, argmax_f32, argmax_f32_right},
    {"describe f32", "describe", HEDDLE_F32, 1, false, describe_f32, describe_f32_right},
    {"hist f32, 100 bins", "hist", HEDDLE_F32, 1, false, hist_f32, hist_f32_right},
    {"scan f32", "scan", HEDDLE_F32, 2, true, scan_f32, scan_f32_right},
    {"sum f64", "sum", HEDDLE_F64, 1, false, sum_f64, sum_f64_right},
    {"scan f64", "scan", HEDDLE_F64, 2, true, scan_f64, scan_f64_right},
    {"hist u8, 256 bins", "hist", HEDDLE_U8, 1, false, hist_u8, hist_u8_right},
};
const size_t bench_work_count = sizeof bench_works / sizeof *bench_works;
