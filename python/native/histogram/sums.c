/* sums.c - up to 2^53 f64 holds every integer */
#include "sums.h"

#include <float.h>
#include <math.h>

static const uint64_t EXACT = UINT64_C(1) << 53;
static const double F16_MAX = 65504;

/* The greatest magnitude. */
static uint64_t magnitude(const struct array *w) {
  const uint64_t *x = w->buffer.data;
  const bool has_sign = w->type == HEDDLE_I64;
  uint64_t most = 0;
  for (size_t i = 0; i < w->count; i++) {
    const uint64_t size = has_sign && x[i] >> 63 ? 0 - x[i] : x[i];
    most = size > most ? size : most;
  }
  return most;
}

/* Integers of 64 bits, aligned. */
static bool are_long(const struct array *w) {
  return (w->type == HEDDLE_I64 || w->type == HEDDLE_U64) && (uintptr_t)w->buffer.data % 8 == 0;
}

struct sums_weights sums_weights(const struct array *weights, double few[SUMS_FEW]) {
  const struct sums_weights same = {weights->buffer.data, weights->type};
  if (!are_long(weights) || weights->count > SUMS_FEW || magnitude(weights) > EXACT) return same;
  const int64_t *x = weights->buffer.data;
  for (size_t i = 0; i < weights->count; i++) few[i] = (double)x[i];
  return (struct sums_weights){few, HEDDLE_F64};
}

bool sums_are_exact(const struct array *weights) {
  const ptrdiff_t bytes = weights->buffer.item_bytes;
  if (weights->is_float || !weights->count) return true;
  if (bytes < 8) return weights->count <= EXACT >> 8 * bytes;
  return are_long(weights) && magnitude(weights) <= EXACT / weights->count;
}

bool sums_convert(double *sums, size_t count, heddle_type type, void *out) {
  const double most = type == HEDDLE_F16 ? F16_MAX : type == HEDDLE_F32 ? (double)FLT_MAX : DBL_MAX;
  if (type == HEDDLE_F16 || type == HEDDLE_F32 || type == HEDDLE_F64) {
    bool beyond = false;
    for (size_t i = 0; i < count; i++) beyond |= isfinite(sums[i]) && fabs(sums[i]) > most;
    return !beyond && heddle_convert(HEDDLE_F64, sums, type, out, count) == HEDDLE_OK;
  }
  return heddle_convert(HEDDLE_F64, sums, HEDDLE_I64, sums, count) == HEDDLE_OK &&
         heddle_convert(HEDDLE_I64, sums, type, out, count) == HEDDLE_OK;
}
