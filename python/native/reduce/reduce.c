/* reduce.c - reductions along axes of an array, which may lie in any order and have a mask
 *
 * Method   The library writes to the array of results (target.h), of rows (rows.h). Bools are reduced by
 *          "any" and "all", of which every byte but 0 is True.
 *          Exact sums are never in two steps.
 * Limits   Bools that are counted are looked at first: only 0 and 1 are. Totals of masked elements and of a
 *          first one that are not finite are for Python's code. */
#include <math.h>
#include <string.h>

#include "errors/errors.h"
#include "initial.h"
#include "rows.h"
#include "target.h"

/* The infinity that a row of nothing but NaN comes to; the result is its bytes. */
static size_t put_nothing(heddle_op op, heddle_type type, void *out) {
  const double far = op == HEDDLE_MAX ? -HUGE_VAL : HUGE_VAL;
  const bool put = heddle_convert(HEDDLE_F64, &far, type, out, 1) == HEDDLE_OK;
  return put ? heddle_type_size(type) : 0;
}

/* Whether a row may have had nothing else. */
static bool may_be_empty(const struct lines *l, heddle_op op, const void *results) {
  double nothing;
  const size_t size = put_nothing(op, l->a.type, &nothing);
  const char *at = results;
  for (size_t i = 0; i < l->results; i++)
    if (!memcmp(at + i * size, &nothing, size)) return true;
  return false;
}

/* What stands for elements that a mask does not let through. */
static union number fill_of(heddle_op op, heddle_type type, const union number *initial) {
  const double one = op == HEDDLE_PROD || op == HEDDLE_ALL;
  union number fill = {0};
  if (initial && (op == HEDDLE_MIN || op == HEDDLE_MAX)) return *initial;
  const bool exact = heddle_convert(HEDDLE_F64, &one, type, &fill, 1) == HEDDLE_OK;
  return exact ? fill : (union number){0};
}

static heddle_status reduce_any(heddle_context *ctx, heddle_op op, struct lines *l, void *out,
                                const heddle_options *options) {
  if (l->mask) {
    const union number fill = fill_of(op, l->a.type, options->init);
    return rows_masked(ctx, op, l, &fill, out, options);
  }
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  heddle_status status = logical ? HEDDLE_OK : lines_numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  return status == HEDDLE_OK ? rows_reduce(ctx, op, l, out, options) : status;
}

/* options: their types, and the first number; NULL without one. */
static python_object *reduce(struct lines *l, heddle_context *ctx, heddle_op op, bool skip,
                             const heddle_options *given) {
  heddle_options options = *given;
  struct target t;
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL, initial = options.init;
  const heddle_type type = options.out_type;
  const bool as_bool = logical || (l->a.is_bool && !call_is_total(op));
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (!target_begin(&t, l, dtype)) return target_none(l);
  python_thread *thread = call_leave(&l->a, ctx);
  if (as_bool && !logical) op = op == HEDDLE_MAX ? HEDDLE_ANY : HEDDLE_ALL; /* any byte is True */
  const bool begun = errors_begin(ctx, &l->a);
  heddle_status status = reduce_any(ctx, op, l, t.at, &options);
  const bool none = errors_none(begun);
  const bool extreme = op == HEDDLE_MIN || op == HEDDLE_MAX;
  if (status == HEDDLE_OK && skip && !initial && l->a.is_float && extreme &&
      may_be_empty(l, op, t.at))
    status = HEDDLE_EMPTY;
  call_come_back(thread);
  if (status == HEDDLE_OK && call_is_total(op) && !none) {
    if (l->mask || initial)
      status = errors_are_possible(ctx, l, type, t.at) ? HEDDLE_BAD_ARGUMENT : status;
    else
      t.raised = !errors_of_lines(ctx, l, type, t.at, skip, ERRORS_REDUCE);
  }
  lines_end(l);
  return target_end(&t, status, dtype, type);
}

python_object *heddle_py_reduce_axis(python_object *object, int op, python_object *axis,
                                     int keepdims, int skip, int threads) {
  return heddle_py_reduce_where(object, op, axis, keepdims, skip, NULL, NULL, NULL, threads);
}

/* Lines of the elements as they are to be totalled. False: it is for Python's code. */
static bool begin(struct lines *l, heddle_op op, python_object *object, python_object *where,
                  python_object *axis, bool keepdims, python_object *dtype) {
  const bool total = call_is_total(op);
  const enum lines_order order = total ? LINES_OF_FLOATS_IN_ORDER : LINES_IN_ANY_ORDER;
  if (!lines_begin_where(l, object, where, axis, keepdims, order)) return false;
  if (!total || !call_wants_f64(&l->a, dtype)) return true;
  lines_end(l);
  if (!lines_begin_where(l, object, where, axis, keepdims, LINES_IN_ORDER)) return false;
  if (lines_as_f64(l)) return true;
  lines_end(l);
  return false;
}

/* The types of a call, and its first number if one is given. */
static bool read_options(heddle_options *options, const struct lines *l, heddle_op op,
                         python_object *dtype, python_object *initial, union number *first) {
  const bool extreme = op == HEDDLE_MIN || op == HEDDLE_MAX;
  if (!call_types(&l->a, op, dtype, options)) return false;
  if (!initial || !initial_is_given(initial)) return !extreme || !l->mask;
  const bool as_float = options->out_type != call_result_type(&l->a, op) && !l->a.is_float;
  options->init = first;
  return !as_float && initial_read(initial, options->out_type, l->a.is_float, first);
}

python_object *heddle_py_reduce_where(python_object *object, int op, python_object *axis,
                                      int keepdims, int skip, python_object *dtype,
                                      python_object *initial, python_object *where, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct lines l;
  union number first;
  if (!ctx || !target_can() || !begin(&l, (heddle_op)op, object, where, axis, keepdims, dtype))
    return array_decline();
  if (read_options(&options, &l, (heddle_op)op, dtype, initial, &first))
    return reduce(&l, ctx, (heddle_op)op, skip, &options);
  lines_end(&l);
  return array_decline();
}

/* The real sum of floats, over a row's length for a mean. Python's code counts what is not NaN. */
static python_object *exact(heddle_context *ctx, struct lines *l, int op, bool mean, bool skip,
                            python_object *dtype) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.exact = 1;
  if (mean) options.divisor = (double)l->length;
  const bool typed = mean ? call_figure_type(&l->a, dtype, &options.out_type)
                          : call_types(&l->a, (heddle_op)op, dtype, &options);
  if (typed && l->a.is_float && !(mean && skip))
    return reduce(l, ctx, (heddle_op)op, skip, &options);
  lines_end(l);
  return array_decline();
}

python_object *heddle_py_exact(python_object *object, int op, python_object *axis, int keepdims,
                               int skip, python_object *dtype, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  if (!ctx || !target_can() || !begin(&l, (heddle_op)op, object, NULL, axis, keepdims, NULL))
    return array_decline();
  return exact(ctx, &l, op, false, skip, dtype);
}

python_object *heddle_py_exact_mean(python_object *object, python_object *axis, int keepdims,
                                    int skip, python_object *dtype, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  if (!ctx || !target_can() || !begin(&l, HEDDLE_SUM, object, NULL, axis, keepdims, NULL))
    return array_decline();
  return exact(ctx, &l, HEDDLE_SUM, true, skip, dtype);
}
