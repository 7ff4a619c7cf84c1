/* sort.c - sorted copies and the positions that sort, along one axis of an array in any layout
 *
 * Method   The library writes to the array of results (target.h).
 * Limits   Columns with nulls, bfloat16, and large arrays in no order as one row are for Python's code. */
#include "call.h"
#include "lines.h"
#include "target.h"

/* All elements as one row, where there is no axis. */
static bool begin(struct lines *l, python_object *object, python_object *axis) {
  if (!python_is_none(axis)) return lines_begin_whole(l, object, axis);
  if (!lines_begin(l, object, NULL, false, LINES_IN_ORDER)) return false;
  l->result_dims = 1, l->result_shape[0] = l->a.count;
  return true;
}

static heddle_status sort_rows(heddle_context *ctx, const struct lines *l, void *out,
                               const heddle_sort_options *options) {
  if (lines_are_one(l)) return heddle_sort(ctx, l->a.type, l->data, l->a.count, out, options);
  return heddle_sort_rows(ctx, l->a.type, l->data, &l->rows, out, options);
}

static heddle_status argsort_rows(heddle_context *ctx, const struct lines *l, void *out,
                                  const heddle_sort_options *options) {
  if (lines_are_one(l))
    return heddle_argsort(ctx, l->a.type, l->data, l->a.count, HEDDLE_U64, out, options);
  return heddle_argsort_rows(ctx, l->a.type, l->data, &l->rows, HEDDLE_U64, out, options);
}

static python_object *sorted(python_object *object, python_object *axis, int descending,
                             int nan_first, int threads, bool positions) {
  heddle_context *ctx = call_context(threads);
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  struct lines l;
  struct target t;
  options.descending = descending;
  options.nan_first = nan_first;
  if (!ctx || !target_can() || !begin(&l, object, axis)) return array_decline();
  if (array_nulls(&l.a) || l.in_pieces || l.a.type == HEDDLE_BF16) return target_none(&l);
  python_object *dtype = positions ? call_index() : l.a.is_bool ? call_bool() : call_type(l.a.type);
  if (!target_begin(&t, &l, dtype)) return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = lines_numbers(ctx, &l);
  if (status == HEDDLE_OK) status = lines_ready(&l);
  if (status == HEDDLE_OK)
    status = positions ? argsort_rows(ctx, &l, t.at, &options) : sort_rows(ctx, &l, t.at, &options);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, dtype, positions ? HEDDLE_U64 : l.a.type);
}

python_object *heddle_py_sort(python_object *object, python_object *axis, int descending,
                              int nan_first, int threads) {
  return sorted(object, axis, descending, nan_first, threads, false);
}

python_object *heddle_py_argsort(python_object *object, python_object *axis, int descending,
                                 int nan_first, int threads) {
  return sorted(object, axis, descending, nan_first, threads, true);
}
