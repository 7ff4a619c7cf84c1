/* segments.c - reductions, means, indices and running totals of rows of any lengths, which offsets cut out of a line
 *
 * Method   The library takes the offsets as they are; those of reduceat, of which the last row ends with the
 *          line, are copied with that end behind them.
 * Limits   Rows whose result is not defined, or may not be, are for Python's code; so are offsets of other
 *          types than NumPy's own of indices, and columns with nulls, which count as elements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "errors/errors.h"
#include "initial.h"
#include "moments.h"
#include "target.h"

/* A line, its offsets and how many rows they make. */
struct segments {
  struct lines l; /* of which the array, and the shape of results */
  struct array offsets;
  uint64_t *own; /* copied offsets */
  heddle_rows rows;
  bool has_empty;
};

/* Whether offsets stay in the line, if they do not fall; the library looks at that. */
static bool look_at(struct segments *s, const uint64_t *offsets) {
  s->rows.offsets = offsets;
  for (size_t i = 0; i < s->rows.segments; i++) s->has_empty |= offsets[i + 1] == offsets[i];
  return offsets[s->rows.segments] <= s->l.a.count;
}

/* to_end: the last row ends with the line. */
static bool cut(struct segments *s, bool to_end) {
  const struct array *o = &s->offsets;
  s->rows.segments = o->count - !to_end;
  s->l.results = s->rows.segments;
  s->l.result_dims = 1, s->l.result_shape[0] = s->rows.segments;
  if (!to_end) return look_at(s, o->buffer.data);
  s->own = malloc((o->count + 1) * sizeof *s->own);
  if (!s->own) return false;
  memcpy(s->own, o->buffer.data, o->count * sizeof *s->own);
  s->own[o->count] = s->l.a.count;
  return look_at(s, s->own);
}

static void end_segments(struct segments *s) {
  free(s->own);
  array_end(&s->offsets);
  lines_end(&s->l);
}

static bool begin_segments(struct segments *s, python_object *object, python_object *offsets,
                           bool to_end) {
  s->own = NULL, s->has_empty = false;
  s->l.copy = NULL, s->l.converted = NULL, s->l.mask = NULL, s->l.reversed = false;
  s->rows = (heddle_rows)HEDDLE_ROWS_INIT;
  if (!array_begin(&s->l.a, object, 0)) return false;
  if (!array_begin(&s->offsets, offsets, 0)) {
    lines_end(&s->l);
    return false;
  }
  const struct array *o = &s->offsets;
  const bool whole = o->type == HEDDLE_I64 || o->type == HEDDLE_U64;
  const bool lines = o->buffer.dims == 1 && s->l.a.buffer.dims == 1;
  const bool fine = whole && lines && s->l.a.count && o->count > !to_end && !array_nulls(&s->l.a);
  if (fine && cut(s, to_end)) return true;
  end_segments(s);
  return false;
}

/* Whether a float is an infinity, as a row of nothing but NaN gives where those are skipped. */
static bool has_infinity(const struct array *a, const char *x, size_t count) {
  const size_t bytes = (size_t)a->buffer.item_bytes;
  double n = 0;
  for (size_t i = 0; i < count; i++)
    if (heddle_convert(a->type, x + i * bytes, HEDDLE_F64, &n, 1) != HEDDLE_OK || isinf(n))
      return true;
  return false;
}

static python_object *decline(struct segments *s) {
  end_segments(s);
  python.clear_error();
  return array_decline();
}

static python_object *reduce(struct segments *s, heddle_context *ctx, heddle_op op,
                             const heddle_options *options, enum errors_call call) {
  const struct array *a = &s->l.a;
  struct target t;
  const bool logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  const bool extreme = op == HEDDLE_MIN || op == HEDDLE_MAX;
  const bool skip = options->nan == HEDDLE_NAN_SKIP, initial = options->init;
  const heddle_type type = options->out_type;
  python_object *dtype = logical || (a->is_bool && extreme) ? call_bool() : call_type(type);
  heddle_status status = extreme && !initial && s->has_empty ? HEDDLE_EMPTY : HEDDLE_OK;
  if (!target_begin(&t, &s->l, dtype)) return decline(s);
  python_thread *thread = call_leave(a, ctx);
  if (status == HEDDLE_OK && !logical) status = call_numbers(ctx, a);
  if (status == HEDDLE_OK)
    status = heddle_reduce_rows(ctx, op, a->type, a->buffer.data, &s->rows, t.at, options);
  if (status == HEDDLE_OK && extreme && skip && !initial && a->is_float &&
      has_infinity(a, t.at, s->rows.segments))
    status = HEDDLE_EMPTY;
  call_come_back(thread);
  const struct errors_segments found = {a, &s->rows, type, t.at, skip, initial};
  if (status == HEDDLE_OK && call_is_total(op)) status = errors_of_segments(ctx, &found, call);
  t.raised = status == HEDDLE_CALLBACK;
  end_segments(s);
  return target_end(&t, status, dtype, type);
}

/* The types of a call, and its first number if one is given. */
static bool read_options(heddle_options *options, const struct array *a, heddle_op op,
                         python_object *dtype, python_object *initial, union number *first) {
  if (!call_types(a, op, dtype, options)) return false;
  if (!initial_is_given(initial)) return true;
  const bool as_float = options->out_type != call_result_type(a, op) && !a->is_float;
  options->init = first;
  return !as_float && (!a->is_bool || call_is_total(op)) &&
         initial_read(initial, options->out_type, a->is_float, first);
}

python_object *heddle_py_segments(python_object *object, python_object *offsets, int op,
                                  python_object *dtype, python_object *initial, int skip,
                                  int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct segments s;
  union number first;
  if (!ctx || !target_can() || !begin_segments(&s, object, offsets, false)) return array_decline();
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (!read_options(&options, &s.l.a, (heddle_op)op, dtype, initial, &first)) return decline(&s);
  return reduce(&s, ctx, (heddle_op)op, &options, ERRORS_REDUCE);
}

python_object *heddle_py_reduceat(python_object *object, python_object *indices, int op,
                                  int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct segments s;
  if (!ctx || !target_can() || !begin_segments(&s, object, indices, true)) return array_decline();
  if (s.has_empty) return decline(&s); /* such a row is one element */
  options.out_type = call_result_type(&s.l.a, (heddle_op)op);
  return reduce(&s, ctx, (heddle_op)op, &options, ERRORS_REDUCEAT);
}

/* ---- means ----------------------------------------------------------------------------------------- */

/* Totals without NaN, by how many numbers each is of. */
static heddle_status means_without_nan(const struct segments *s, heddle_context *ctx,
                                       double *totals) {
  const struct array *a = &s->l.a;
  const size_t count = s->rows.segments;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = options.out_type = HEDDLE_F64;
  options.nan = HEDDLE_NAN_SKIP;
  heddle_description *d = moments_descriptions(count);
  if (!d) return HEDDLE_OUT_OF_MEMORY;
  heddle_status status =
      heddle_reduce_rows(ctx, HEDDLE_SUM, a->type, a->buffer.data, &s->rows, totals, &options);
  options = (heddle_options)HEDDLE_OPTIONS_INIT;
  options.figures = HEDDLE_FIGURES_MEAN;
  options.nan = HEDDLE_NAN_SKIP;
  if (status == HEDDLE_OK)
    status = heddle_describe_rows(ctx, a->type, a->buffer.data, &s->rows, d, &options);
  for (size_t i = 0; i < count; i++) totals[i] /= (double)(d[i].count - d[i].nan);
  free(d);
  return status;
}

/* The mean of each row, in f64: its total by its length, or the library's own. HEDDLE_BAD_ARGUMENT: one may
 * be better known. */
static heddle_status means(struct segments *s, heddle_context *ctx, bool skip, double *out) {
  const struct array *a = &s->l.a;
  const bool wide = a->type == HEDDLE_U64 || a->type == HEDDLE_I64;
  const bool is_odd_told = wide || skip || a->type == HEDDLE_F64;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  double odd = 0;
  heddle_status status = call_numbers(ctx, a);
  if (status != HEDDLE_OK) return status;
  if (wide) {
    options.figures = HEDDLE_FIGURES_MEAN;
    status = heddle_figure_rows(ctx, a->type, a->buffer.data, &s->rows, out, &options);
  } else {
    options.acc_type = a->is_float ? HEDDLE_F64 : HEDDLE_TYPE_DEFAULT;
    options.out_type = HEDDLE_F64;
    status = heddle_reduce_rows(ctx, HEDDLE_SUM, a->type, a->buffer.data, &s->rows, out, &options);
  }
  for (size_t i = 0; status == HEDDLE_OK && i < s->rows.segments; i++) {
    odd += out[i] * 0;
    if (!wide) out[i] /= (double)(s->rows.offsets[i + 1] - s->rows.offsets[i]);
  }
  if (status == HEDDLE_OK && skip && a->is_float && isnan(odd)) {
    status = means_without_nan(s, ctx, out);
    odd = 0;
    for (size_t i = 0; i < s->rows.segments; i++) odd += out[i] * 0;
  }
  return status == HEDDLE_OK && is_odd_told && isnan(odd) ? HEDDLE_BAD_ARGUMENT : status;
}

python_object *heddle_py_segment_mean(python_object *object, python_object *offsets,
                                      python_object *dtype, int skip, int threads) {
  heddle_context *ctx = call_context(threads);
  struct segments s;
  struct target t;
  heddle_type type;
  if (!ctx || !target_can() || !begin_segments(&s, object, offsets, false)) return array_decline();
  const struct array *a = &s.l.a;
  const size_t count = s.rows.segments;
  double *wide = NULL;
  skip = skip && a->is_float; /* no integer is NaN: the bits of the mean of all */
  if (s.has_empty || !count || !call_figure_type(a, dtype, &type) ||
      !target_begin(&t, &s.l, call_type(type)))
    return decline(&s);
  if (type != HEDDLE_F64) wide = malloc(count * sizeof *wide);
  python_thread *thread = call_leave(a, ctx);
  heddle_status status = type == HEDDLE_F64 || wide ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (status == HEDDLE_OK) status = means(&s, ctx, skip, wide ? wide : t.at);
  if (status == HEDDLE_OK && wide) status = heddle_convert(HEDDLE_F64, wide, type, t.at, count);
  call_come_back(thread);
  free(wide);
  const struct errors_segments found = {a, &s.rows, type, t.at, skip, false};
  if (status == HEDDLE_OK) status = errors_of_segments(ctx, &found, ERRORS_REDUCE);
  t.raised = status == HEDDLE_CALLBACK;
  end_segments(&s);
  return target_end(&t, status, call_type(type), type);
}

/* ---- indices --------------------------------------------------------------------------------------- */

python_object *heddle_py_segment_argreduce(python_object *object, python_object *offsets, int which,
                                           int skip, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct segments s;
  struct target t;
  if (!ctx || !target_can() || !begin_segments(&s, object, offsets, false)) return array_decline();
  const struct array *a = &s.l.a;
  if (s.has_empty || !target_begin(&t, &s.l, call_index())) return decline(&s);
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  python_thread *thread = call_leave(a, ctx);
  heddle_status status = call_numbers(ctx, a);
  if (status == HEDDLE_OK)
    status = heddle_argreduce_rows(ctx, (heddle_extreme)which, a->type, a->buffer.data, &s.rows,
                                   NULL, t.at, &options);
  const uint64_t *index = t.at;
  for (size_t i = 0; status == HEDDLE_OK && i < s.rows.segments; i++)
    if (index[i] == UINT64_MAX) status = HEDDLE_EMPTY; /* of nothing but NaN */
  call_come_back(thread);
  end_segments(&s);
  return target_end(&t, status, call_index(), HEDDLE_U64);
}

/* ---- running totals -------------------------------------------------------------------------------- */

/* The last total of each row is looked at. */
static heddle_status report_last(const struct segments *s, heddle_context *ctx,
                                 const heddle_options *options, const void *totals) {
  const size_t bytes = heddle_type_size(options->out_type), count = s->rows.segments;
  const uint64_t *ends = s->rows.offsets + 1;
  char *last = s->l.a.is_float ? malloc(count * bytes + 1) : NULL;
  if (!last) return s->l.a.is_float ? HEDDLE_OUT_OF_MEMORY : HEDDLE_OK;
  memset(last, 0, count * bytes);
  for (size_t i = 0; i < count; i++)
    if (ends[i] > ends[i - 1])
      memcpy(last + i * bytes, (const char *)totals + (ends[i] - 1) * bytes, bytes);
  const struct errors_segments found = {
      &s->l.a, &s->rows, options->out_type, last, options->nan == HEDDLE_NAN_SKIP, false};
  const heddle_status status = errors_of_segments(ctx, &found, ERRORS_ACCUMULATE);
  free(last);
  return status;
}

python_object *heddle_py_segment_scan(python_object *object, python_object *offsets, int op,
                                      python_object *dtype, int skip, int threads) {
  heddle_context *ctx = call_context(threads);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct segments s;
  struct target t;
  if (!ctx || !target_can() || !begin_segments(&s, object, offsets, false)) return array_decline();
  const struct array *a = &s.l.a;
  const uint64_t *cuts = s.rows.offsets;
  const bool covers = !cuts[0] && cuts[s.rows.segments] == a->count;
  s.l.result_shape[0] = a->count;
  if (!covers || !call_types(a, (heddle_op)op, dtype, &options) ||
      !target_begin(&t, &s.l, call_type(options.out_type)))
    return decline(&s);
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  python_thread *thread = call_leave(a, ctx);
  heddle_status status = call_numbers(ctx, a);
  if (status == HEDDLE_OK)
    status = heddle_scan_rows(ctx, (heddle_op)op, HEDDLE_INCLUSIVE, a->type, a->buffer.data,
                              &s.rows, t.at, &options);
  call_come_back(thread);
  if (status == HEDDLE_OK) status = report_last(&s, ctx, &options, t.at);
  t.raised = status == HEDDLE_CALLBACK;
  end_segments(&s);
  return target_end(&t, status, call_type(options.out_type), options.out_type);
}
