/* sort.c - the elements of a tensor in order along an axis or as one row, and the positions that sort them */
#include "call.h"
#include "device.h"
#include "tensors.h"

static heddle_status sort_lines(const struct device_call *c, const heddle_sort_options *options) {
  const struct lines *l = &c->l;
  if (lines_are_one(l)) return heddle_sort(c->ctx, l->a.type, l->data, l->a.count, c->at, options);
  return heddle_sort_rows(c->ctx, l->a.type, l->data, &l->rows, c->at, options);
}

static heddle_status argsort_lines(const struct device_call *c,
                                   const heddle_sort_options *options) {
  const struct lines *l = &c->l;
  if (lines_are_one(l))
    return heddle_argsort(c->ctx, l->a.type, l->data, l->a.count, HEDDLE_U64, c->at, options);
  return heddle_argsort_rows(c->ctx, l->a.type, l->data, &l->rows, HEDDLE_U64, c->at, options);
}

static python_object *sorted(python_object *object, python_object *axis, int descending,
                             int nan_first, bool positions) {
  struct device_call c;
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.descending = descending;
  options.nan_first = nan_first;
  if (!device_begin(&c, object)) return array_decline();
  if (c.l.a.is_bool || c.l.a.type == HEDDLE_BF16) { /* bools may be any bytes */
    array_end(&c.l.a);
    return array_decline();
  }
  const bool laid = python_is_none(axis) ? device_line(&c) : lines_of_held_whole(&c.l, axis);
  if (!laid) return array_decline();
  if (!device_result(&c, positions ? HEDDLE_I64 : c.l.a.type, false)) return device_none(&c);
  return device_end(&c, positions ? argsort_lines(&c, &options) : sort_lines(&c, &options));
}

python_object *heddle_py_device_sort(python_object *a, python_object *axis, int descending,
                                     int nan_first, int threads) {
  python_object *made = heddle_py_sort(a, axis, descending, nan_first, threads);
  if (!array_is_declined(made) || threads != HEDDLE_PY_DEFAULT) return made;
  return sorted(a, axis, descending, nan_first, false);
}

python_object *heddle_py_device_argsort(python_object *a, python_object *axis, int descending,
                                        int nan_first, int threads) {
  python_object *made = heddle_py_argsort(a, axis, descending, nan_first, threads);
  if (!array_is_declined(made) || threads != HEDDLE_PY_DEFAULT) return made;
  return sorted(a, axis, descending, nan_first, true);
}
