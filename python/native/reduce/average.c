/* average.c - the mean of elements with weights, of each row
 *
 * Method   The sum of products by the sum of the weights, both in f64.
 * Limits   Floats of 32 and 64 bits and weights of their type, both in C order; weights of one dimension are
 *          copied beside all elements. Averages that are
 *          not finite, and weights whose sum is 0, are for Python's code, which says so. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

static bool is_in_c_order(python_object *object) {
  struct array a;
  if (!array_begin(&a, object, 0)) return false;
  array_end(&a);
  return true;
}

/* Weights of the elements along one axis beside all elements. NULL: they do not fit, or no memory. */
static void *spread_out(const struct lines *l, const struct array *weights, python_object *axis) {
  const struct python_buffer *a = &l->a.buffer, *w = &weights->buffer;
  size_t shape[HEDDLE_MAX_DIMS];
  ptrdiff_t strides[HEDDLE_MAX_DIMS] = {0};
  if (w->dims != 1 || !python_is_int(axis)) return NULL;
  const long given = python.as_long(axis), along = given < 0 ? given + a->dims : given;
  if (w->shape[0] != a->shape[along]) return NULL;
  for (int d = 0; d < a->dims; d++) shape[d] = (size_t)a->shape[d];
  strides[along] = 1;
  void *copy = malloc((size_t)a->bytes);
  if (copy) copy_in_order(copy, w->data, (size_t)a->dims, shape, strides, (size_t)a->item_bytes);
  return copy;
}

/* Weights beside all elements: the caller's, or *copy. NULL: they do not fit, or no memory. */
static const void *weights_of(const struct lines *l, const struct array *weights,
                              python_object *axis, void **copy) {
  const struct python_buffer *a = &l->a.buffer, *w = &weights->buffer;
  *copy = NULL;
  if ((l->a.type != HEDDLE_F32 && l->a.type != HEDDLE_F64) || weights->type != l->a.type ||
      l->copied)
    return NULL;
  if (w->dims == a->dims && a->dims &&
      !memcmp(w->shape, a->shape, (size_t)a->dims * sizeof *a->shape))
    return w->data;
  return *copy = spread_out(l, weights, axis);
}

static heddle_status totals(heddle_context *ctx, const struct lines *l, const void *weights,
                            double *total, double *scale) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  const heddle_type type = l->a.type;
  options.acc_type = options.out_type = HEDDLE_F64;
  if (lines_are_one(l)) {
    const heddle_status status =
        heddle_dot(ctx, type, l->data, weights, l->a.count, total, &options);
    if (status != HEDDLE_OK) return status;
    return heddle_reduce(ctx, HEDDLE_SUM, type, weights, l->a.count, scale, &options);
  }
  const heddle_status status =
      heddle_dot_rows(ctx, type, l->data, weights, &l->rows, total, &options);
  if (status != HEDDLE_OK) return status;
  return heddle_reduce_rows(ctx, HEDDLE_SUM, type, weights, &l->rows, scale, &options);
}

static heddle_status average(heddle_context *ctx, const struct lines *l, const void *weights,
                             void *out) {
  const double most = l->a.type == HEDDLE_F32 ? (double)FLT_MAX : DBL_MAX;
  double *total = malloc(2 * l->results * sizeof *total);
  if (!total) return HEDDLE_OUT_OF_MEMORY;
  const double *scale = total + l->results;
  heddle_status status = totals(ctx, l, weights, total, total + l->results);
  for (size_t i = 0; status == HEDDLE_OK && i < l->results; i++) {
    total[i] /= scale[i];
    if (!(fabs(total[i]) <= most)) status = HEDDLE_BAD_ARGUMENT;
  }
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, total, l->a.type, out, l->results);
  free(total);
  return status;
}

python_object *heddle_py_average(python_object *object, python_object *axis, python_object *weights,
                                 int keepdims, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  struct array w;
  if (!ctx || !target_can() || !is_in_c_order(object) || !array_begin(&w, weights, 0))
    return array_decline();
  if (!lines_begin(&l, object, axis, keepdims, LINES_IN_ORDER)) {
    array_end(&w);
    return array_decline();
  }
  const heddle_type type = l.a.type;
  void *copy;
  const void *beside = weights_of(&l, &w, axis, &copy);
  if (!beside || !target_begin(&t, &l, call_type(type))) {
    free(copy);
    array_end(&w);
    return target_none(&l);
  }
  python_thread *thread = call_leave(&l.a, ctx);
  const heddle_status status = average(ctx, &l, beside, t.at);
  call_come_back(thread);
  free(copy);
  array_end(&w);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}
