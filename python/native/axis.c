/* axis.c - indices and running totals along axes of an array, which may lie in any order
 *
 * Method   The library writes to the array of results (target.h); totals that are to have identities between
 *          them are written apart first.
 * Limits   Bools that are counted are looked at first: only 0 and 1 are. */
#include <stdlib.h>
#include <string.h>

#include "bools.h"
#include "call.h"
#include "columns/scan.h"
#include "copies/pieces.h"
#include "errors/errors.h"
#include "lines.h"
#include "numpy_abi.h"
#include "target.h"

/* Skipping, a row of nothing but NaN has no place: HEDDLE_EMPTY. */
static heddle_status argreduce_rows(heddle_context *ctx, heddle_extreme which,
                                    const struct lines *l, bool skip, uint64_t *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  heddle_status status = HEDDLE_OK;
  bool found_all = false;
  if (bools_have_places(ctx, l)) status = bools_places(l, which, out, &found_all);
  if (status != HEDDLE_OK || found_all) return status;
  status = lines_numbers(ctx, l);
  if (status != HEDDLE_OK) return status;
  if (l->in_pieces) return pieces_argreduce(ctx, which, l, out, &options);
  if (lines_are_one(l))
    return heddle_argreduce(ctx, which, l->a.type, l->data, l->a.count, NULL, out, &options);
  status = heddle_argreduce_rows(ctx, which, l->a.type, l->data, &l->rows, NULL, out, &options);
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
  if (!target_begin(&t, &l, call_index())) return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = lines_ready(&l);
  if (status == HEDDLE_OK)
    status = argreduce_rows(ctx, (heddle_extreme)which, &l, skip && l.a.is_float, t.at);
  if (status == HEDDLE_OK && array_nulls(&l.a)) {
    uint64_t *index = t.at; /* of a column, which is one row */
    *index = column_place(l.a.column, *index);
  }
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_index(), HEDDLE_U64);
}

/* ---- scans ----------------------------------------------------------------------------------------- */

static heddle_status scan_rows(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                               const heddle_options *options) {
  if (l->in_pieces) return pieces_scan(ctx, op, l, out, options);
  if (lines_are_one(l))
    return heddle_scan(ctx, op, HEDDLE_INCLUSIVE, l->a.type, l->data, l->a.count, out, options);
  return heddle_scan_rows(ctx, op, HEDDLE_INCLUSIVE, l->a.type, l->data, &l->rows, out, options);
}

/* Totals behind an identity each, which make rows longer. */
struct longer {
  size_t outer, row, step; /* rows of so many totals, `step` of which lie side by side */
  size_t bytes;
  char *totals; /* one row after the other, without identities; NULL: there is one row */
};

/* The shape of the results becomes that of the longer rows. False: there is no memory. */
static bool longer_begin(struct longer *x, struct lines *l, heddle_type type) {
  const size_t axis = l->rows.axis;
  *x = (struct longer){1, l->shape[axis], 1, heddle_type_size(type), NULL};
  for (size_t d = 0; d < axis; d++) x->outer *= l->shape[d];
  for (size_t d = axis + 1; d < l->rows.dims; d++) x->step *= l->shape[d];
  l->result_shape[axis]++;
  x->row *= x->step;
  if (x->outer > 1) x->totals = malloc(l->a.count * x->bytes);
  return x->outer == 1 || x->totals;
}

/* Where the library writes totals. */
static char *longer_at(const struct longer *x, void *results) {
  return x->totals ? x->totals : (char *)results + x->step * x->bytes;
}

static void longer_end(struct longer *x, heddle_op op, heddle_type type, void *results) {
  const double one = op == HEDDLE_PROD;
  const size_t head = x->step * x->bytes, row = x->row * x->bytes;
  union number identity = {0};
  if (heddle_convert(HEDDLE_F64, &one, type, &identity, 1) != HEDDLE_OK) return;
  for (size_t o = 0; o < x->outer; o++) {
    char *to = (char *)results + o * (head + row);
    for (size_t i = 0; i < x->step; i++) memcpy(to + i * x->bytes, &identity, x->bytes);
    if (x->totals) memcpy(to + head, x->totals + o * row, row);
  }
}

/* What a scan is asked for, beside its array. */
struct scan {
  heddle_op op;
  heddle_options options;
  python_object *given; /* where the totals of one row go; NULL: to a new array */
  bool is_longer;
};

/* The library's call; the lines end. */
static python_object *scan(struct lines *l, heddle_context *ctx, const struct scan *s) {
  struct target t;
  struct longer longer = {0};
  const heddle_type type = s->options.out_type;
  const bool total = call_is_total(s->op), as_bool = l->a.is_bool && !total;
  const bool skip = s->options.nan == HEDDLE_NAN_SKIP;
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  if (array_nulls(&l->a))
    return s->given || s->is_longer ? target_none(l) : column_scan(l, ctx, s->op, &s->options);
  if (s->is_longer && !longer_begin(&longer, l, type)) return target_none(l);
  if (s->given ? !target_given(&t, l, s->given, type, as_bool) : !target_begin(&t, l, dtype)) {
    free(longer.totals);
    return target_none(l);
  }
  void *totals = s->is_longer ? longer_at(&longer, t.at) : t.at;
  python_thread *thread = call_leave(&l->a, ctx);
  heddle_status status = lines_numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  const bool begun = errors_begin(ctx, &l->a);
  if (status == HEDDLE_OK) status = scan_rows(ctx, s->op, l, totals, &s->options);
  const bool none = errors_none(begun);
  call_come_back(thread);
  if (status == HEDDLE_OK && total && !none)
    t.raised = !errors_of_lines(ctx, l, type, totals, skip, ERRORS_ACCUMULATE);
  if (s->is_longer) longer_end(&longer, s->op, type, t.at);
  free(longer.totals);
  lines_end(l);
  return target_end(&t, status, dtype, type);
}

/* ---- a short line of NumPy's ------------------------------------------------------------------------ */

/* Whether an argument `axis` names the axis of a line. */
static bool is_only_axis(python_object *axis) {
  if (python_is_none(axis)) return true;
  if (!python_is_int(axis)) return false;
  const long n = python.as_long(axis);
  if (n == -1 && python.has_error()) {
    python.clear_error();
    return false;
  }
  return n == 0 || n == -1;
}

/* The totals, without what lines of any other kind need, which would take longer than a hundred elements. NULL,
 * without an exception: they are for those; a float total that is not finite is reported there, too. */
static python_object *scan_short(const struct array *a, heddle_op op, heddle_context *ctx) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  const bool total = call_is_total(op), as_bool = a->is_bool && !total;
  const size_t count = a->count;
  options.out_type = call_result_type(a, op);
  python_object *dtype =
      as_bool ? numpy_fields_of(a->buffer.owner)->dtype : call_dtype(options.out_type);
  if (call_numbers(ctx, a) != HEDDLE_OK) return NULL;
  python.keep(dtype);
  python_object *made = numpy.empty(1, a->buffer.shape, dtype, false);
  if (!made) {
    python.clear_error();
    return NULL;
  }
  char *to = numpy_fields_of(made)->data;
  const size_t bytes = heddle_type_size(options.out_type);
  if (heddle_scan(ctx, op, HEDDLE_INCLUSIVE, a->type, a->buffer.data, count, to, &options) ==
          HEDDLE_OK &&
      !(total && errors_are_odd(options.out_type, to + (count - 1) * bytes, 1)))
    return made;
  python.drop(made);
  return NULL;
}

/* NULL: the array, or the call, is another. */
static python_object *try_short(python_object *object, python_object *out, python_object *axis,
                                int op, heddle_context *ctx) {
  python_object *made = NULL;
  struct array a;
  if (!python_is_none(out) || !is_only_axis(axis) || !array_begin_line(&a, object)) return NULL;
  if (a.count && call_is_short(&a, ctx)) made = scan_short(&a, (heddle_op)op, ctx);
  array_end(&a);
  return made;
}

/* All elements as one row. */
static bool begin_line(struct lines *l, python_object *object) {
  if (!lines_begin(l, object, NULL, false, LINES_IN_ORDER)) return false;
  l->result_dims = 1, l->result_shape[0] = l->a.count;
  return true;
}

/* With the type that the elements give totals. */
static python_object *scan_plainly(struct lines *l, python_object *given, heddle_context *ctx,
                                   int op) {
  struct scan s = {.op = (heddle_op)op, .options = HEDDLE_OPTIONS_INIT, .given = given};
  s.options.out_type = call_result_type(&l->a, s.op);
  return scan(l, ctx, &s);
}

python_object *heddle_py_scan(python_object *object, python_object *out, int op, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  python_object *made = ctx ? try_short(object, out, python.none, op, ctx) : NULL;
  if (made) return made;
  if (!ctx || !target_can() || !begin_line(&l, object)) return array_decline();
  return scan_plainly(&l, python_is_none(out) ? NULL : out, ctx, op);
}

python_object *heddle_py_scan_axis(python_object *object, python_object *out, int op,
                                   python_object *axis, int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  python_object *made = ctx ? try_short(object, out, axis, op, ctx) : NULL;
  if (made) return made;
  if (!ctx || !target_can() || !python_is_none(out) || !lines_begin_whole(&l, object, axis))
    return array_decline();
  return scan_plainly(&l, NULL, ctx, op);
}

python_object *heddle_py_scan_as(python_object *object, python_object *out, int op,
                                 python_object *axis, int skip, python_object *dtype, int kind,
                                 int threads) {
  heddle_context *ctx = call_context(threads);
  struct scan s = {.op = (heddle_op)op, .options = HEDDLE_OPTIONS_INIT};
  struct lines l;
  const bool is_line = python_is_none(axis);
  s.is_longer = kind == HEDDLE_PY_LONGER;
  if (!python_is_none(out)) s.given = out;
  if (!ctx || !target_can() || (s.given && (!is_line || s.is_longer)) ||
      !(is_line ? begin_line(&l, object) : lines_begin_whole(&l, object, axis)))
    return array_decline();
  s.options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if ((is_line && kind != HEDDLE_PY_TOTALS && l.a.buffer.dims != 1) ||
      (s.is_longer && l.reversed) ||
      (call_is_total(s.op) && call_wants_f64(&l.a, dtype) && !lines_as_f64(&l)) ||
      !call_types(&l.a, s.op, dtype, &s.options))
    return target_none(&l);
  return scan(&l, ctx, &s);
}
