/* axis.c - indices and running totals along axes of an array, which may lie in any order
 *
 * Method   The library writes to the array of results (target.h).
 * Limits   Bools that are counted are looked at first: only 0 and 1 are. */
#include "bools.h"
#include "call.h"
#include "columns/scan.h"
#include "errors/errors.h"
#include "lines.h"
#include "pieces.h"
#include "target.h"

/* Skipping, a row of nothing but NaN has no place: HEDDLE_EMPTY. */
static heddle_status argreduce_rows(heddle_context *ctx, heddle_extreme which,
                                    const struct lines *l, bool skip, uint64_t *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (bools_have_places(ctx, l)) return bools_places(l, which, out);
  heddle_status status = lines_numbers(ctx, l);
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

/* Running totals of rows into a new array, or, of one row, into `given`. */
static python_object *scan(struct lines *l, python_object *given, heddle_context *ctx,
                           heddle_op op) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  struct target t;
  const heddle_type type = call_result_type(&l->a, op);
  const bool as_bool = l->a.is_bool && !call_is_total(op);
  python_object *dtype = as_bool ? call_bool() : call_type(type);
  options.out_type = type;
  if (array_nulls(&l->a)) return given ? target_none(l) : column_scan(l, ctx, op);
  if (given ? !target_given(&t, l, given, type, as_bool) : !target_begin(&t, l, dtype))
    return target_none(l);
  python_thread *thread = call_leave(&l->a, ctx);
  heddle_status status = lines_numbers(ctx, l);
  if (status == HEDDLE_OK) status = lines_ready(l);
  const bool begun = errors_begin(ctx, &l->a);
  if (status == HEDDLE_OK) status = scan_rows(ctx, op, l, t.at, &options);
  const bool none = errors_none(begun);
  call_come_back(thread);
  if (status == HEDDLE_OK && call_is_total(op) && !none)
    t.raised = !errors_of_lines(ctx, l, type, t.at, false, ERRORS_ACCUMULATE);
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
