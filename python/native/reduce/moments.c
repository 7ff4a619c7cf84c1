/* moments.c - means and variances along axes of an array
 *
 * Method   A mean is a total and a division, by the count of the elements that are no NaN where those are left out:
 *          they are counted if a total is NaN. Of integers of 64 bits, whose total may wrap, it is the library's own.
 * Limits   Bools are looked at first: only 0 and 1 are numbers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "copies/parts.h"
#include "copies/pieces.h"
#include "divide.h"
#include "errors/errors.h"
#include "moments.h"
#include "rows.h"
#include "target.h"

/* Totals to means of the result's type; counts NULL: of whole rows. False: one of f64 is beyond it, an element is not
 * finite, or a row has no element. */
static bool finish_means(const struct lines *l, heddle_type type, double *totals,
                         const uint64_t *counts, void *out) {
  bool finite = true;
  if (!counts) finite = divide_all(totals, l->results, (double)l->length);
  for (size_t i = 0; counts && i < l->results; i++) {
    if (!counts[i]) return false;
    finite = finite && isfinite(totals[i]);
    totals[i] /= (double)counts[i];
  }
  if (l->a.type == HEDDLE_F64 && !finite) return false;
  if (type == HEDDLE_F64) return true;
  return heddle_convert(HEDDLE_F64, totals, type, out, l->results) == HEDDLE_OK;
}

/* A call's rows, part by part: a figure of each, or all of them. */
struct parts_call {
  heddle_context *ctx;
  heddle_type type;
  const heddle_options *options;
  double *figures;
  heddle_description *descriptions;
};

static heddle_status figures_of_part(void *to, const char *data, const heddle_rows *rows,
                                     size_t first) {
  const struct parts_call *c = to;
  return heddle_figure_rows(c->ctx, c->type, data, rows, c->figures + first, c->options);
}

static heddle_status describe_part(void *to, const char *data, const heddle_rows *rows,
                                   size_t first) {
  const struct parts_call *c = to;
  return heddle_describe_rows(c->ctx, c->type, data, rows, c->descriptions + first, c->options);
}

/* The mean or the variance of each row. */
static heddle_status figures(heddle_context *ctx, const struct lines *l, heddle_figures which,
                             double *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.figures = which;
  struct parts_call parts = {ctx, l->a.type, &options, out, NULL};
  if (l->in_parts) return parts_each(l, figures_of_part, &parts);
  if (!l->in_pieces) return heddle_figure_rows(ctx, l->a.type, l->data, &l->rows, out, &options);
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  const heddle_status status = pieces_describe(ctx, l, &d, &options);
  *out = which == HEDDLE_FIGURES_MEAN ? d.mean : d.variance;
  return status;
}

heddle_description *moments_descriptions(size_t count) {
  heddle_description *d = calloc(count, sizeof *d);
  for (size_t i = 0; d && i < count; i++) d[i].size = sizeof *d;
  return d;
}

/* The figures of each row. */
static heddle_status described(heddle_context *ctx, const struct lines *l, heddle_figures which,
                               bool skip, heddle_description *d) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.figures = which;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  struct parts_call parts = {ctx, l->a.type, &options, NULL, d};
  if (l->in_parts) return parts_each(l, describe_part, &parts);
  if (l->in_pieces) return pieces_describe(ctx, l, d, &options);
  if (lines_are_one(l)) return heddle_describe(ctx, l->a.type, l->data, l->a.count, d, &options);
  return heddle_describe_rows(ctx, l->a.type, l->data, &l->rows, d, &options);
}

/* Floats are added in f64, integers of up to 32 bits and bools in 64. */
static heddle_status totals_of(heddle_context *ctx, const struct lines *l, heddle_nan nan,
                               double *totals) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = l->a.is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
  options.out_type = HEDDLE_F64;
  options.nan = nan;
  return rows_reduce(ctx, HEDDLE_SUM, l, totals, &options);
}

static bool any_nan(const double *x, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count && !any; i++) any = isnan(x[i]);
  return any;
}

/* How many of n elements are no NaN: as many as are not below the least of their type. */
static heddle_status count_numbers(heddle_context *ctx, heddle_type type, const void *x, size_t n,
                                   uint64_t *count) {
  const double infinity = -(double)INFINITY;
  uint64_t least = 0;
  heddle_where where = HEDDLE_WHERE_INIT;
  where.comparison = HEDDLE_GREATER_EQUAL;
  where.type = type;
  where.of = x;
  where.value = &least;
  const heddle_status status = heddle_convert(HEDDLE_F64, &infinity, type, &least, 1);
  return status ? status : heddle_positions(ctx, &where, n, HEDDLE_U64, NULL, count);
}

/* The one row's, block by block: what has been added is counted from a cache. */
static heddle_status total_without_nan(heddle_context *ctx, const struct lines *l, double *total,
                                       uint64_t *count) {
  enum { BLOCK = 1 << 20 }; /* bytes */
  const size_t bytes = (size_t)l->a.buffer.item_bytes, most = BLOCK / bytes;
  const char *x = l->data;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_state *state = NULL;
  options.acc_type = options.out_type = HEDDLE_F64;
  options.nan = HEDDLE_NAN_SKIP;
  if (l->a.count <= most) {
    const heddle_status status =
        heddle_reduce(ctx, HEDDLE_SUM, l->a.type, x, l->a.count, total, &options);
    return status ? status : count_numbers(ctx, l->a.type, x, l->a.count, count);
  }
  *count = 0;
  heddle_status status = heddle_reduce_begin(ctx, HEDDLE_SUM, l->a.type, &options, &state);
  for (size_t i = 0, n; status == HEDDLE_OK && i < l->a.count; i += n) {
    uint64_t here = 0;
    n = l->a.count - i < most ? l->a.count - i : most;
    status = heddle_reduce_update(state, x + i * bytes, n);
    if (status == HEDDLE_OK) status = count_numbers(ctx, l->a.type, x + i * bytes, n, &here);
    *count += here;
  }
  if (status == HEDDLE_OK) status = heddle_reduce_finish(state, total);
  heddle_state_free(state);
  return status;
}

/* Totals of what is no NaN, and how many these are. */
static heddle_status totals_without_nan(heddle_context *ctx, const struct lines *l, double *totals,
                                        uint64_t *counts) {
  if (lines_are_one(l) && !l->in_parts && !l->in_pieces)
    return total_without_nan(ctx, l, totals, counts);
  heddle_status status = totals_of(ctx, l, HEDDLE_NAN_SKIP, totals);
  if (status != HEDDLE_OK) return status;
  heddle_description *d = moments_descriptions(l->results);
  if (!d) return HEDDLE_OUT_OF_MEMORY;
  status = described(ctx, l, HEDDLE_FIGURES_MEAN, true, d);
  for (size_t i = 0; i < l->results; i++) counts[i] = d[i].count - d[i].nan;
  free(d);
  return status;
}

/* Whether a NaN is among the first elements of one long row: a total of all would be made in vain. */
static bool starts_with_nan(heddle_context *ctx, const struct lines *l) {
  enum { LONG = 1 << 14, FIRST = 512 };
  heddle_options options = HEDDLE_OPTIONS_INIT;
  double total = 0;
  if (!lines_are_one(l) || l->in_parts || l->in_pieces || l->a.count < LONG) return false;
  options.acc_type = options.out_type = HEDDLE_F64;
  return heddle_reduce(ctx, HEDDLE_SUM, l->a.type, l->data, FIRST, &total, &options) == HEDDLE_OK &&
         isnan(total);
}

static heddle_status means_by_totals(heddle_context *ctx, const struct lines *l, bool skip,
                                     heddle_type type, void *out) {
  double *totals = type == HEDDLE_F64 ? out : malloc(l->results * sizeof *totals);
  uint64_t *counts = NULL;
  if (!totals) return HEDDLE_OUT_OF_MEMORY;
  const bool has_nan = skip && starts_with_nan(ctx, l);
  heddle_status status = HEDDLE_OK;
  if (!has_nan) status = totals_of(ctx, l, HEDDLE_NAN_PROPAGATE, totals);
  if (status == HEDDLE_OK && skip && (has_nan || any_nan(totals, l->results))) {
    counts = malloc(l->results * sizeof *counts);
    status = counts ? totals_without_nan(ctx, l, totals, counts) : HEDDLE_OUT_OF_MEMORY;
  }
  if (status == HEDDLE_OK && !finish_means(l, type, totals, counts, out))
    status = HEDDLE_BAD_ARGUMENT;
  free(counts);
  if (type != HEDDLE_F64) free(totals);
  return status;
}

static bool any_infinite(const double *x, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count && !any; i++) any = fabs(x[i]) > DBL_MAX;
  return any;
}

/* Of integers of 64 bits. */
static heddle_status means_by_figures(heddle_context *ctx, const struct lines *l, heddle_type type,
                                      void *out) {
  double *means = type == HEDDLE_F64 ? out : malloc(l->results * sizeof *means);
  if (!means) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = figures(ctx, l, HEDDLE_FIGURES_MEAN, means);
  if (type == HEDDLE_F64) return status;
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, means, type, out, l->results);
  free(means);
  return status;
}

heddle_status moments_variances(const heddle_description *d, size_t count, double ddof, bool root,
                                heddle_type type, void *out) {
  double *v = type == HEDDLE_F64 ? out : malloc(count * sizeof *v);
  if (!v) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = HEDDLE_OK;
  for (size_t i = 0; i < count; i++) {
    const double n = (double)(d[i].count - d[i].nan), divisor = n - ddof;
    if (!(divisor > 0)) status = HEDDLE_BAD_ARGUMENT;
    v[i] = d[i].infinite ? (double)NAN : d[i].variance * (n / divisor);
    if (root) v[i] = sqrt(v[i]);
  }
  if (type == HEDDLE_F64) return status;
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, v, type, out, count);
  free(v);
  return status;
}

/* Without NaN: rows have elements as many as each has numbers. */
static heddle_status variances_of_numbers(heddle_context *ctx, const struct lines *l, double ddof,
                                          bool root, heddle_type type, void *out) {
  heddle_description *d = moments_descriptions(l->results);
  if (!d) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status = described(ctx, l, HEDDLE_FIGURES_VARIANCE, true, d);
  if (status == HEDDLE_OK) status = moments_variances(d, l->results, ddof, root, type, out);
  free(d);
  return status;
}

/* Become NaN where an element is infinite, as NumPy has it, and stay where squares are beyond f64. */
static heddle_status of_infinities(heddle_context *ctx, const struct lines *l, double *variances) {
  heddle_description *d = moments_descriptions(l->results);
  if (!d) return HEDDLE_OUT_OF_MEMORY;
  const heddle_status status = described(ctx, l, HEDDLE_FIGURES_VARIANCE, false, d);
  for (size_t i = 0; status == HEDDLE_OK && i < l->results; i++)
    if (d[i].infinite) variances[i] = (double)NAN;
  free(d);
  return status;
}

static heddle_status means(heddle_context *ctx, struct lines *l, bool skip, heddle_type type,
                           void *out) {
  if (l->mask) return moments_masked_means(ctx, l, skip, type, out);
  const bool wide = l->a.type == HEDDLE_U64 || l->a.type == HEDDLE_I64;
  heddle_status status = lines_numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  if (status != HEDDLE_OK) return status;
  if (wide) return means_by_figures(ctx, l, type, out);
  return means_by_totals(ctx, l, skip && l->a.is_float, type, out);
}

/* Reports what is not finite; of some of the elements, that is for Python's code. */
static heddle_status told(heddle_context *ctx, const struct lines *l, heddle_type type,
                          struct target *t, bool skip) {
  if (l->mask || skip)
    return errors_are_possible(ctx, l, type, t->at) ? HEDDLE_BAD_ARGUMENT : HEDDLE_OK;
  t->raised = !errors_of_lines(ctx, l, type, t->at, false, ERRORS_REDUCE);
  return HEDDLE_OK;
}

python_object *heddle_py_mean_where(python_object *object, python_object *axis, int keepdims,
                                    int skip, python_object *dtype, python_object *where,
                                    int threads) {
  heddle_context *ctx = call_context(threads);
  enum lines_order order = skip ? LINES_IN_ORDER : LINES_OF_FLOATS_IN_ORDER;
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || !lines_begin_where(&l, object, where, axis, keepdims, order))
    return array_decline();
  const bool wide = l.a.type == HEDDLE_U64 || l.a.type == HEDDLE_I64;
  if ((wide && !skip) || l.a.count >> 31) {
    lines_end(&l);
    if (!wide || !lines_begin_where(&l, object, where, axis, keepdims, LINES_IN_ORDER))
      return array_decline();
  }
  skip = skip && l.a.is_float; /* no integer is NaN: the bits of the mean of all */
  heddle_type type;
  if (!call_figure_type(&l.a, dtype, &type) || !target_begin(&t, &l, call_type(type)))
    return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = means(ctx, &l, skip, type, t.at);
  call_come_back(thread);
  if (status == HEDDLE_OK) status = told(ctx, &l, type, &t, skip);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}

python_object *heddle_py_mean_axis(python_object *object, python_object *axis, int keepdims,
                                   int skip, int threads) {
  return heddle_py_mean_where(object, axis, keepdims, skip, NULL, NULL, threads);
}

/* Of rows of one element, which have none but 0, or NaN where it is not finite. */
static heddle_status variances_of_one(heddle_context *ctx, const struct lines *l, double *v) {
  heddle_status status = HEDDLE_OK;
  if (l->a.is_float) status = figures(ctx, l, HEDDLE_FIGURES_MEAN, v);
  for (size_t i = 0; i < l->results; i++) v[i] = !l->a.is_float || isfinite(v[i]) ? 0 : (double)NAN;
  return status;
}

/* Variances, or their roots, of the result's type. */
static heddle_status variances_of_all(heddle_context *ctx, const struct lines *l, double ddof,
                                      bool root, heddle_type type, void *out) {
  const double length = (double)l->length, factor = length / (length - ddof);
  double *v = type == HEDDLE_F64 ? out : malloc(l->results * sizeof *v);
  if (!v) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status =
      l->length == 1 ? variances_of_one(ctx, l, v) : figures(ctx, l, HEDDLE_FIGURES_VARIANCE, v);
  if (status == HEDDLE_OK && l->a.is_float && l->length > 1 &&
      errors_are_odd(HEDDLE_F64, v, l->results) && any_infinite(v, l->results))
    status = of_infinities(ctx, l, v);
  for (size_t i = 0; ddof != 0 && i < l->results; i++) v[i] *= factor;
  for (size_t i = 0; root && i < l->results; i++) v[i] = sqrt(v[i]);
  if (type == HEDDLE_F64) return status;
  if (status == HEDDLE_OK) status = heddle_convert(HEDDLE_F64, v, type, out, l->results);
  free(v);
  return status;
}

static heddle_status variances(heddle_context *ctx, struct lines *l, double ddof, bool root,
                               bool skip, heddle_type type, void *out, bool *few) {
  if (l->mask || (skip && moments_are_short(l)))
    return moments_masked_variances(ctx, l, ddof, root, skip, type, out, few);
  heddle_status status = lines_numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  if (status != HEDDLE_OK) return status;
  if (skip) return variances_of_numbers(ctx, l, ddof, root, type, out);
  return variances_of_all(ctx, l, ddof, root, type, out);
}

python_object *heddle_py_variance_where(python_object *object, double ddof, int root,
                                        python_object *axis, int keepdims, int skip,
                                        python_object *dtype, python_object *where, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() ||
      !lines_begin_where(&l, object, where, axis, keepdims, LINES_IN_ORDER))
    return array_decline();
  const bool defined = (double)l.length - ddof > 0;
  skip = skip && l.a.is_float; /* no integer is NaN */
  heddle_type type;
  if (!defined || !call_figure_type(&l.a, dtype, &type) || !target_begin(&t, &l, call_type(type)))
    return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  bool few = false;
  heddle_status status = variances(ctx, &l, ddof, root, skip, type, t.at, &few);
  call_come_back(thread);
  if (status == HEDDLE_OK && few)
    t.raised = !errors_of_few();
  else if (status == HEDDLE_OK)
    status = told(ctx, &l, type, &t, skip);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}

python_object *heddle_py_variance_axis(python_object *object, double ddof, int root,
                                       python_object *axis, int keepdims, int skip, int threads) {
  return heddle_py_variance_where(object, ddof, root, axis, keepdims, skip, NULL, NULL, threads);
}
