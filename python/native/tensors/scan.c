/* scan.c - running totals of a tensor, along an axis or of all of it in C order */
#include "call.h"
#include "device.h"
#include "tensors.h"

static python_object *scan(python_object *object, heddle_op op, python_object *axis, int skip,
                           python_object *dtype, int kind) {
  struct device_call c;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  if (!device_begin(&c, object)) return array_decline();
  const bool is_line = python_is_none(axis);
  const bool wanted = !is_line || kind == HEDDLE_PY_TOTALS || c.l.a.buffer.dims == 1;
  if (!wanted || c.l.a.is_bool || !call_types(&c.l.a, op, dtype, &options)) {
    array_end(&c.l.a);
    return array_decline();
  }
  if (!(is_line ? device_line(&c) : lines_of_held_whole(&c.l, axis))) return array_decline();
  if (options.out_type == HEDDLE_BF16) options.out_type = HEDDLE_F32;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (!device_result(&c, options.out_type, false)) return device_none(&c);
  const struct lines *l = &c.l;
  return device_end(&c, lines_are_one(l) ? heddle_scan(c.ctx, op, HEDDLE_INCLUSIVE, l->a.type,
                                                       l->data, l->a.count, c.at, &options)
                                         : heddle_scan_rows(c.ctx, op, HEDDLE_INCLUSIVE, l->a.type,
                                                            l->data, &l->rows, c.at, &options));
}

python_object *heddle_py_device_scan(python_object *a, python_object *out, int op,
                                     python_object *axis, int skip, python_object *dtype, int kind,
                                     int threads) {
  const bool is_short = python_is_none(axis) && python_is_none(dtype) && !skip;
  python_object *made = is_short && kind == HEDDLE_PY_TOTALS
                            ? heddle_py_scan(a, out, op, threads)
                            : heddle_py_scan_as(a, out, op, axis, skip, dtype, kind, threads);
  if (!array_is_declined(made)) return made;
  if (!python_is_none(out) || kind == HEDDLE_PY_LONGER || threads != HEDDLE_PY_DEFAULT)
    return array_decline();
  return scan(a, (heddle_op)op, axis, skip, dtype, kind);
}
