/* target.c - where a call's results go: an array that NumPy makes, one of the caller's, or a number */
#include "target.h"

#include "numpy_abi.h"
#include "tensors/exchange.h"

static python_object *empty, *fortran;

void heddle_py_arrays(python_object *make, python_object *order, python_object *make_dtype) {
  python.keep(make);
  python.keep(order);
  numpy_make_dtypes_by(make_dtype);
  empty = make;
  fortran = order;
  (void)numpy_dtype_of(python.int_type);
  (void)numpy_dtype_of(python.float_type);
}

bool target_can(void) { return empty != NULL; }

/* One number, or a tuple. */
static python_object *shape_of(size_t dims, const size_t *lengths) {
  if (dims == 1) return python.from_unsigned(lengths[0]);
  python_object *shape = python.new_tuple((ptrdiff_t)dims);
  for (size_t d = 0; shape && d < dims; d++) {
    python_object *n = python.from_unsigned(lengths[d]);
    if (n && python.put_in_tuple(shape, (ptrdiff_t)d, n) == 0) continue;
    python.drop(shape);
    return NULL;
  }
  return shape;
}

/* A new array; NULL: an exception may be set. */
static python_object *new_array(size_t dims, const size_t *lengths, python_object *type,
                                bool reversed) {
  python_object *dtype = numpy_dtype_of(type), *shape, *made = NULL;
  if (!dtype) return NULL;
  if (array_of_numpy()) {
    python.keep(dtype);
    return numpy.empty((int)dims, (const ptrdiff_t *)(const void *)lengths, dtype, reversed);
  }
  shape = shape_of(dims, lengths);
  if (shape) made = python.call(empty, shape, dtype, reversed ? fortran : NULL, NULL);
  if (shape) python.drop(shape);
  return made;
}

/* A new tensor of the framework of an operand. */
static python_object *new_tensor(const struct array *operand, size_t dims, const size_t *lengths,
                                 python_object *dtype) {
  struct array_kind kind;
  void *data;
  return array_kind_of(&kind, dtype) ? exchange_new(operand, kind, dims, lengths, &data) : NULL;
}

python_object *target_line(struct array *a, const struct array *operand, size_t count,
                           python_object *dtype) {
  python_object *made = NULL;
  if (operand && operand->framework)
    made = new_tensor(operand, 1, &count, dtype);
  else if (empty)
    made = new_array(1, &count, dtype, false);
  if (made && array_begin_target(a, made)) return made;
  if (made) python.drop(made);
  python.clear_error();
  return NULL;
}

python_object *target_array(struct array *a, size_t dims, const size_t *lengths,
                            python_object *dtype) {
  python_object *made = empty ? new_array(dims, lengths, dtype, false) : NULL;
  if (made && array_begin_target(a, made)) return made;
  if (made) python.drop(made);
  python.clear_error();
  return NULL;
}

bool target_begin(struct target *t, const struct lines *l, python_object *dtype) {
  t->object = NULL, t->raised = false;
  t->number = (union number){0}, t->at = &t->number;
  if (!l->result_dims) return true;
  t->object = l->a.framework ? new_tensor(&l->a, l->result_dims, l->result_shape, dtype)
                             : new_array(l->result_dims, l->result_shape, dtype, l->reversed);
  if (!t->object) return false;
  if (array_begin_target(&t->array, t->object)) {
    t->at = t->array.buffer.data;
    return true;
  }
  python.drop(t->object);
  return false;
}

bool target_given(struct target *t, const struct lines *l, python_object *given, heddle_type type,
                  bool as_bool) {
  t->object = given, t->raised = false;
  if (!array_begin(&t->array, given, PYTHON_WRITABLE)) return false;
  const struct array *b = &t->array;
  t->at = b->buffer.data;
  if (b->type == type && b->is_bool == as_bool && b->buffer.dims == 1 && b->count == l->a.count &&
      !l->copied && lines_are_one(l)) {
    python.keep(given);
    return true;
  }
  array_end(&t->array);
  return false;
}

python_object *target_end(struct target *t, heddle_status status, python_object *dtype,
                          heddle_type type) {
  if (t->object) array_end(&t->array);
  if (t->raised) {
    if (t->object) python.drop(t->object);
    return NULL;
  }
  if (status == HEDDLE_OK) return t->object ? t->object : call_scalar(dtype, type, &t->number);
  if (t->object) python.drop(t->object);
  return call_failed(status);
}

python_object *target_none(struct lines *l) {
  lines_end(l);
  python.clear_error();
  return array_decline();
}
