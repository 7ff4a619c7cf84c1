/* axis.c - calls along axes of an array, which may lie in any order
 *
 * Method   The library writes to the array of results (target.h). What lies without gaps, in any order,
 *          is folded as one line where the order is free.
 * Limits   Bools that are counted are looked at first: only 0 and 1 are. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bools.h"
#include "call.h"
#include "lines.h"
#include "pieces.h"
#include "target.h"

/* The same of bools with gaps between them: the greatest byte of each row, and of those. */
static heddle_status numbers_apart(heddle_context *ctx, const struct lines *l) {
  const size_t rows = l->a.count / l->shape[l->rows.axis];
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.out_type = HEDDLE_U8;
  uint8_t *most = malloc(rows);
  if (!most) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status =
      heddle_reduce_rows(ctx, HEDDLE_MAX, HEDDLE_U8, l->data, &l->rows, most, &options);
  if (status == HEDDLE_OK) status = bools_are_numbers(ctx, most, rows);
  free(most);
  return status;
}

/* HEDDLE_OK, or bools that an operator would count are not all 0 and 1. */
static heddle_status numbers(heddle_context *ctx, const struct lines *l) {
  if (!l->a.is_bool) return HEDDLE_OK;
  return l->block ? bools_are_numbers(ctx, l->block, l->a.count) : numbers_apart(ctx, l);
}

/* No array could be made: memory is short, or NumPy's dtype is none of the library's. */
static python_object *no_target(struct lines *l) {
  lines_end(l);
  python.clear_error();
  return array_decline();
}

/* ---- reductions ----------------------------------------------------------------------------------- */

/* Rows in two steps, which any order allows: what is folded first, and then its results. */
static heddle_status reduce_twice(heddle_context *ctx, heddle_op op, const struct lines *l,
                                  void *out, const heddle_options *options) {
  const heddle_type between = call_result_type(&l->a, op);
  const size_t shape[] = {l->results, l->rest};
  heddle_options first = HEDDLE_OPTIONS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  void *parts = malloc(l->results * l->rest * heddle_type_size(between));
  if (!parts) return HEDDLE_OUT_OF_MEMORY;
  first.out_type = between;
  first.nan = options->nan;
  rows.dims = 2, rows.axis = 1, rows.shape = shape;
  heddle_status status = heddle_reduce_rows(ctx, op, l->a.type, l->data, &l->rows, parts, &first);
  if (op == HEDDLE_SUM_SQUARES) op = HEDDLE_SUM;
  if (status == HEDDLE_OK)
    status = heddle_reduce_rows(ctx, op, between, parts, &rows, out, options);
  free(parts);
  return status;
}

static heddle_status reduce_rows(heddle_context *ctx, heddle_op op, const struct lines *l,
                                 void *out, const heddle_options *options) {
  if (l->results == 1 && l->block && l->any_order)
    return heddle_reduce(ctx, op, l->a.type, l->block, l->a.count, out, options);
  if (l->in_pieces) return pieces_reduce(ctx, op, l, out, options);
  if (lines_are_one(l)) return heddle_reduce(ctx, op, l->a.type, l->data, l->a.count, out, options);
  if (l->rest > 1 && l->any_order) return reduce_twice(ctx, op, l, out, options);
  return heddle_reduce_rows(ctx, op, l->a.type, l->data, &l->rows, out, options);
}

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

static python_object *reduce(struct lines *l, heddle_context *ctx, heddle_op op, bool skip) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct target t;
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  const heddle_type type = call_result_type(&l->a, op);
  const bool as_bool = logical || (l->a.is_bool && !call_is_total(op));
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  options.out_type = type;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (!target_begin(&t, l, dtype)) return no_target(l);
  python_thread *thread = call_leave(&l->a, ctx);
  if (as_bool && !logical) op = op == HEDDLE_MAX ? HEDDLE_ANY : HEDDLE_ALL; /* any byte is True */
  heddle_status status = as_bool ? HEDDLE_OK : numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  if (status == HEDDLE_OK) status = reduce_rows(ctx, op, l, t.at, &options);
  const bool extreme = op == HEDDLE_MIN || op == HEDDLE_MAX;
  if (status == HEDDLE_OK && skip && l->a.is_float && extreme && may_be_empty(l, op, t.at))
    status = HEDDLE_EMPTY;
  call_come_back(thread);
  lines_end(l);
  return target_end(&t, status, dtype, type);
}

python_object *heddle_py_reduce_axis(python_object *object, int op, python_object *axis,
                                     int keepdims, int skip, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  const bool total = call_is_total((heddle_op)op);
  const enum lines_order order = total ? LINES_OF_FLOATS_IN_ORDER : LINES_IN_ANY_ORDER;
  if (!ctx || !target_can() || !lines_begin(&l, object, axis, keepdims, order))
    return array_decline();
  return reduce(&l, ctx, (heddle_op)op, skip);
}

/* Skipping, a row of nothing but NaN has no place: HEDDLE_EMPTY. */
static heddle_status argreduce_rows(heddle_context *ctx, heddle_extreme which,
                                    const struct lines *l, bool skip, uint64_t *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (l->in_pieces) return pieces_argreduce(ctx, which, l, out, &options);
  if (lines_are_one(l))
    return heddle_argreduce(ctx, which, l->a.type, l->data, l->a.count, NULL, out, &options);
  const heddle_status status =
      heddle_argreduce_rows(ctx, which, l->a.type, l->data, &l->rows, NULL, out, &options);
  bool empty_row = false;
  for (size_t i = 0; skip && status == HEDDLE_OK && i < l->results; i++)
    empty_row |= out[i] == UINT64_MAX;
  return empty_row ? HEDDLE_EMPTY : status;
}

python_object *heddle_py_argreduce_axis(python_object *object, int which, python_object *axis,
                                        int keepdims, int skip, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || (axis && python_is_tuple(axis)) ||
      !lines_begin(&l, object, axis, keepdims, LINES_IN_ORDER))
    return array_decline();
  if (!target_begin(&t, &l, call_index())) return no_target(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = numbers(ctx, &l);
  if (status == HEDDLE_OK) status = lines_ready(&l);
  if (status == HEDDLE_OK)
    status = argreduce_rows(ctx, (heddle_extreme)which, &l, skip && l.a.is_float, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_index(), HEDDLE_U64);
}

/* ---- means and variances -------------------------------------------------------------------------- */

enum { TOGETHER = 4 }; /* numbers in a loop of which compilers make vectors */

/* Totals to means of the result's type. False: one is beyond f64, or an element is not finite. */
static bool finish_means(const struct lines *l, heddle_type type, double *totals, void *out) {
  const double length = (double)l->length;
  double none[TOGETHER] = {0}; /* NaN where a total is not finite */
  size_t i = 0;
  for (; i + TOGETHER <= l->results; i += TOGETHER)
    for (size_t k = 0; k < TOGETHER; k++) {
      const double total = totals[i + k];
      none[k] += total * 0;
      totals[i + k] = total / length;
    }
  for (; i < l->results; i++) {
    none[0] += totals[i] * 0;
    totals[i] /= length;
  }
  if (type == HEDDLE_F64) return !isnan(none[0] + none[1] + none[2] + none[3]);
  return heddle_convert(HEDDLE_F64, totals, type, out, l->results) == HEDDLE_OK;
}

/* Floats are added in f64, integers of up to 32 bits and bools in 64. */
static heddle_status means_by_totals(heddle_context *ctx, const struct lines *l, heddle_type type,
                                     void *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = l->a.is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  options.out_type = HEDDLE_F64;
  double *totals = type == HEDDLE_F64 ? out : malloc(l->results * sizeof *totals);
  if (!totals) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = reduce_rows(ctx, HEDDLE_SUM, l, totals, &options);
  if (status == HEDDLE_OK && !finish_means(l, type, totals, out)) status = HEDDLE_BAD_ARGUMENT;
  if (type != HEDDLE_F64) free(totals);
  return status;
}

/* The mean or the variance of each row. */
static heddle_status figures(heddle_context *ctx, const struct lines *l, heddle_figures which,
                             double *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.figures = which;
  if (!l->in_pieces) return heddle_figure_rows(ctx, l->a.type, l->data, &l->rows, out, &options);
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  const heddle_status status = pieces_describe(ctx, l, &d, &options);
  *out = which == HEDDLE_FIGURES_MEAN ? d.mean : d.variance;
  return status;
}

/* Become NaN where an element is infinite, as NumPy has it, and stay where squares are beyond f64. */
static heddle_status of_infinities(heddle_context *ctx, const struct lines *l, double *variances) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.figures = HEDDLE_FIGURES_VARIANCE;
  heddle_description *d = calloc(l->results, sizeof *d);
  if (!d) return HEDDLE_OUT_OF_MEMORY;
  d->size = sizeof *d;
  heddle_status status = l->in_pieces
                             ? pieces_describe(ctx, l, d, &options)
                             : heddle_describe_rows(ctx, l->a.type, l->data, &l->rows, d, &options);
  for (size_t i = 0; status == HEDDLE_OK && i < l->results; i++)
    if (d[i].infinite) variances[i] = (double)NAN;
  free(d);
  return status;
}

/* What is not finite is for Python's code. */
python_object *heddle_py_mean_axis(python_object *object, python_object *axis, int keepdims,
                                   int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || !lines_begin(&l, object, axis, keepdims, LINES_OF_FLOATS_IN_ORDER))
    return array_decline();
  const bool wide = l.a.type == HEDDLE_U64 || l.a.type == HEDDLE_I64;
  if (wide || l.a.count >> 31) {
    lines_end(&l);
    if (!wide || !lines_begin(&l, object, axis, keepdims, LINES_IN_ORDER)) return array_decline();
  }
  const heddle_type type = l.a.is_float ? l.a.type : HEDDLE_F64;
  if (!target_begin(&t, &l, call_type(type))) return no_target(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = numbers(ctx, &l);
  if (status == HEDDLE_OK) status = lines_ready(&l);
  if (status == HEDDLE_OK)
    status =
        wide ? figures(ctx, &l, HEDDLE_FIGURES_MEAN, t.at) : means_by_totals(ctx, &l, type, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}

/* Variances, or their roots, of the result's type. */
static heddle_status variances(heddle_context *ctx, const struct lines *l, double ddof, bool root,
                               heddle_type type, void *out) {
  const double length = (double)l->length, factor = length / (length - ddof);
  double *v = type == HEDDLE_F64 ? out : malloc(l->results * sizeof *v);
  if (!v) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = figures(ctx, l, HEDDLE_FIGURES_VARIANCE, v);
  bool infinite = l->length == 1; /* whose variance is 0 */
  for (size_t i = 0; status == HEDDLE_OK && i < l->results; i++) infinite |= v[i] > DBL_MAX;
  if (status == HEDDLE_OK && infinite) status = of_infinities(ctx, l, v);
  for (size_t i = 0; status == HEDDLE_OK && ddof != 0 && i < l->results; i++) v[i] *= factor;
  for (size_t i = 0; status == HEDDLE_OK && root && i < l->results; i++) v[i] = sqrt(v[i]);
  if (type == HEDDLE_F64) return status;
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, v, type, out, l->results);
  free(v);
  return status;
}

python_object *heddle_py_variance_axis(python_object *object, double ddof, int root,
                                       python_object *axis, int keepdims, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || !lines_begin(&l, object, axis, keepdims, LINES_IN_ORDER))
    return array_decline();
  const heddle_type type = l.a.is_float ? l.a.type : HEDDLE_F64;
  const bool defined = (double)l.length - ddof > 0;
  if (!defined || !target_begin(&t, &l, call_type(type))) return no_target(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = numbers(ctx, &l);
  if (status == HEDDLE_OK) status = lines_ready(&l);
  if (status == HEDDLE_OK) status = variances(ctx, &l, ddof, root, type, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}

/* ---- scans ----------------------------------------------------------------------------------------- */

static heddle_status scan_rows(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                               const heddle_options *options) {
  if (l->in_pieces) return pieces_scan(ctx, op, l, out, options);
  if (lines_are_one(l))
    return heddle_scan(ctx, op, HEDDLE_INCLUSIVE, l->a.type, l->data, l->a.count, out, options);
  return heddle_scan_rows(ctx, op, HEDDLE_INCLUSIVE, l->a.type, l->data, &l->rows, out, options);
}

/* Running totals of rows into a new array, or, of one row, into `given`. */
static python_object *scan(struct lines *l, python_object *given, heddle_context *ctx,
                           heddle_op op) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct target t;
  const heddle_type type = call_result_type(&l->a, op);
  const bool as_bool = l->a.is_bool && !call_is_total(op);
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  options.out_type = type;
  if (given ? !target_given(&t, l, given, type, as_bool) : !target_begin(&t, l, dtype))
    return no_target(l);
  python_thread *thread = call_leave(&l->a, ctx);
  heddle_status status = numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  if (status == HEDDLE_OK) status = scan_rows(ctx, op, l, t.at, &options);
  call_come_back(thread);
  lines_end(l);
  return target_end(&t, status, dtype, type);
}

python_object *heddle_py_scan(python_object *object, python_object *out, int op, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  if (!ctx || !target_can() || !lines_begin(&l, object, NULL, false, LINES_IN_ORDER))
    return array_decline();
  l.result_dims = 1, l.result_shape[0] = l.a.count;
  return scan(&l, python_is_none(out) ? NULL : out, ctx, (heddle_op)op);
}

python_object *heddle_py_scan_axis(python_object *object, python_object *out, int op,
                                   python_object *axis, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  if (!ctx || !target_can() || !python_is_none(out) || !lines_begin_whole(&l, object, axis))
    return array_decline();
  return scan(&l, NULL, ctx, (heddle_op)op);
}
