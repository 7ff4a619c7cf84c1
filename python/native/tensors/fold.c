/* fold.c - reductions of a tensor: of all of it by the call for one line, of rows by that for rows
 *
 * Limits   No axes that only a copy would bring together. What needs a look at the elements first is declined:
 *          bools that are counted, rows that may be nothing but NaN */
#include "call.h"
#include "device.h"
#include "tensors.h"

static heddle_status fold(const struct device_call *c, heddle_op op,
                          const heddle_options *options) {
  const struct lines *l = &c->l;
  if (lines_are_one(l))
    return heddle_reduce(c->ctx, op, l->a.type, l->data, l->a.count, c->at, options);
  return heddle_reduce_rows(c->ctx, op, l->a.type, l->data, &l->rows, c->at, options);
}

static bool is_number(python_object *object) {
  return python_is_int(object) || python_is(object, python.float_type);
}

/* A reduction on a device, of arguments that say no more than axes, NaN and a dtype. */
static python_object *reduce(python_object *object, heddle_op op, python_object *axis, int keepdims,
                             int skip, python_object *dtype) {
  struct device_call c;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  const bool total = call_is_total(op), logical = op == HEDDLE_ANY || op == HEDDLE_ALL;
  if (!device_begin(&c, object)) return array_decline();
  const bool is_counted = c.l.a.is_bool && !logical;
  const enum lines_order order = total ? LINES_OF_FLOATS_IN_ORDER : LINES_IN_ANY_ORDER;
  if (is_counted || !call_types(&c.l.a, op, dtype, &options)) {
    array_end(&c.l.a);
    return array_decline();
  }
  if (!device_lines(&c, axis, keepdims, order)) return array_decline();
  const bool is_extreme = !total && !logical;
  if (skip && is_extreme && c.l.a.is_float && !lines_are_one(&c.l)) return device_none(&c);
  if (options.out_type == HEDDLE_BF16) options.out_type = HEDDLE_F32;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  if (!device_result(&c, options.out_type, logical)) return device_none(&c);
  return device_end(&c, fold(&c, op, &options));
}

python_object *heddle_py_device_reduce(python_object *a, int op, python_object *axis, int keepdims,
                                       int skip, python_object *dtype, python_object *initial,
                                       python_object *where, int threads) {
  const bool says_more = is_number(initial) || where != python.yes;
  python_object *made;
  if (says_more || !python_is_none(dtype))
    made = heddle_py_reduce_where(a, op, axis, keepdims, skip, dtype, initial, where, threads);
  else if (!python_is_none(axis) || keepdims || skip)
    made = heddle_py_reduce_axis(a, op, axis, keepdims, skip, threads);
  else
    made = heddle_py_reduce(a, op, threads);
  if (!array_is_declined(made)) return made;
  if (says_more || threads != HEDDLE_PY_DEFAULT) return array_decline();
  return reduce(a, (heddle_op)op, axis, keepdims, skip, dtype);
}

static python_object *argreduce(python_object *object, heddle_extreme which, python_object *axis,
                                int keepdims, int skip) {
  struct device_call c;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  heddle_status status;
  if (python_is_tuple(axis) || !device_begin(&c, object)) return array_decline();
  if (!device_lines(&c, axis, keepdims, LINES_IN_ORDER)) return array_decline();
  if (c.l.a.is_bool || !device_result(&c, HEDDLE_I64, false)) return device_none(&c);
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  const struct lines *l = &c.l;
  if (lines_are_one(l))
    status = heddle_argreduce(c.ctx, which, l->a.type, l->data, l->a.count, NULL, c.at, &options);
  else
    status =
        heddle_argreduce_rows(c.ctx, which, l->a.type, l->data, &l->rows, NULL, c.at, &options);
  return device_end(&c, status);
}

python_object *heddle_py_device_argreduce(python_object *a, int which, python_object *axis,
                                          int keepdims, int skip, int threads) {
  const bool says_more = !python_is_none(axis) || keepdims || skip;
  python_object *made = says_more
                            ? heddle_py_argreduce_axis(a, which, axis, keepdims, skip, threads)
                            : heddle_py_argreduce(a, which, threads);
  if (!array_is_declined(made)) return made;
  if (threads != HEDDLE_PY_DEFAULT) return array_decline();
  return argreduce(a, (heddle_extreme)which, axis, keepdims, skip);
}

/* Two lines of neighbours of one type, on one device. */
static bool are_pair(const struct lines *l, const struct array *b) {
  return l->a.buffer.dims == 1 && b->buffer.dims == 1 && l->a.count == b->count &&
         l->a.type == b->type && !l->a.is_bool && !b->is_bool && l->a.ordinal == b->ordinal &&
         l->a.framework == b->framework && lines_are_one(l) && array_is_in_order(b);
}

python_object *heddle_py_device_dot(python_object *left, python_object *right, int threads) {
  struct device_call c;
  struct array b;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  python_object *made = heddle_py_dot(left, right, threads);
  if (!array_is_declined(made)) return made;
  if (threads != HEDDLE_PY_DEFAULT || !device_begin(&c, left) ||
      !device_lines(&c, python.none, false, LINES_IN_ORDER))
    return array_decline();
  if (!exchange_begin(&b, right)) return device_none(&c);
  options.out_type = c.l.a.type == HEDDLE_BF16 ? HEDDLE_F32 : c.l.a.type;
  if (!are_pair(&c.l, &b) || !device_result(&c, options.out_type, false)) {
    array_end(&b);
    return device_none(&c);
  }
  const heddle_status status =
      heddle_dot(c.ctx, c.l.a.type, c.l.data, b.buffer.data, c.l.a.count, c.at, &options);
  made = device_end(&c, status);
  array_end(&b);
  return made;
}
