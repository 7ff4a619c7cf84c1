/* target.c - where a call's results go: an array that NumPy makes, one of the caller's, or a number */
#include "target.h"

enum { DTYPES_MOST = 32 };

static python_object *empty, *fortran, *dtype_of;
/* NumPy's dtypes of its types of scalars, which it would look for in every call. */
static struct { python_object *type, *dtype; } dtypes[DTYPES_MOST];

void heddle_py_arrays(python_object *make, python_object *order, python_object *make_dtype) {
  python.keep(make);
  python.keep(order);
  python.keep(make_dtype);
  empty = make;
  fortran = order;
  dtype_of = make_dtype;
}

bool target_can(void) { return empty != NULL; }

/* Borrowed; the type itself, if there is no more room. */
static python_object *dtype_for(python_object *type) {
  size_t i = 0;
  while (i < DTYPES_MOST && dtypes[i].type && dtypes[i].type != type) i++;
  if (i == DTYPES_MOST) return type;
  if (dtypes[i].type) return dtypes[i].dtype;
  dtypes[i].dtype = python.call(dtype_of, type, NULL);
  if (!dtypes[i].dtype) return NULL;
  dtypes[i].type = type;
  return dtypes[i].dtype;
}

/* One number, or a tuple. */
static python_object *shape_of(const struct lines *l) {
  if (l->result_dims == 1) return python.from_unsigned(l->result_shape[0]);
  python_object *shape = python.new_tuple((ptrdiff_t)l->result_dims);
  for (size_t d = 0; shape && d < l->result_dims; d++) {
    python_object *n = python.from_unsigned(l->result_shape[d]);
    if (n && python.put_in_tuple(shape, (ptrdiff_t)d, n) == 0) continue;
    python.drop(shape);
    return NULL;
  }
  return shape;
}

/* An array of the results' shape; NULL: an exception is set. */
static python_object *new_array(const struct lines *l, python_object *type) {
  python_object *dtype = dtype_for(type), *shape = dtype ? shape_of(l) : NULL, *made = NULL;
  if (shape) made = python.call(empty, shape, dtype, l->reversed ? fortran : NULL, NULL);
  if (shape) python.drop(shape);
  return made;
}

python_object *target_line(struct array *a, size_t count, python_object *dtype) {
  python_object *length = empty ? python.from_unsigned(count) : NULL, *made = NULL;
  if (length) {
    made = python.call(empty, length, dtype, NULL);
    python.drop(length);
  }
  *a = (struct array){.count = count};
  if (made && python.get_buffer(made, &a->buffer, PYTHON_C_ORDER | PYTHON_WRITABLE) == 0)
    return made;
  if (made) python.drop(made);
  python.clear_error();
  return NULL;
}

bool target_begin(struct target *t, const struct lines *l, python_object *dtype) {
  *t = (struct target){.at = &t->number};
  if (!l->result_dims) return true;
  t->object = new_array(l, dtype);
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
  *t = (struct target){.object = given};
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
