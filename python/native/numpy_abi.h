/* numpy_abi.h - NumPy's arrays by their fields, and new ones by its C API, without NumPy's headers
 *
 * Result   numpy_abi_load: whether this NumPy has both as they are wanted; without it arrays are read by
 *          the buffer protocol and made by Python's functions, at a third of the speed in short calls
 * Limits   what NumPy's own macros put into each extension module, the same in its versions 1.20 to 2.x:
 *          the first fields of an array, its flags, three entries of the table of functions. Nothing of it is
 *          used before arrays of every dtype have shown by their buffers that they are so (array.c)
 * Source   numpy/ndarraytypes.h (PyArrayObject_fields), numpy/__multiarray_api.h */
#ifndef HEDDLE_NUMPY_ABI_H
#define HEDDLE_NUMPY_ABI_H

#include "python_abi.h"

/* PyArrayObject_fields, from the end of what all of Python's objects begin with. */
struct numpy_fields {
  char *data;
  int dims;
  ptrdiff_t *shape, *strides; /* in bytes */
  python_object *base, *dtype;
  int flags;
};

enum { NUMPY_C_ORDER = 0x0001, NUMPY_ALIGNED = 0x0100, NUMPY_WRITABLE = 0x0400 };

struct numpy_api {
  python_object *(*empty)(int dims, const ptrdiff_t *shape, python_object *dtype_taken,
                          int fortran);
  python_object *(*scalar)(const void *data, python_object *dtype, python_object *base);
  python_object *array_type;
  size_t
      head; /* bytes of every Python object in front of its own fields, its type the last of them */
};

extern struct numpy_api numpy;

/* What makes dtypes: numpy.dtype. */
void numpy_make_dtypes_by(python_object *dtype);
/* The dtype of one of NumPy's types of scalars, or of a dtype, which must stay; borrowed. NULL: an exception may be set. */
python_object *numpy_dtype_of(python_object *type);
/* The same if it has been asked for before; NULL otherwise. */
python_object *numpy_known_dtype(const python_object *type);
/* What a name stands for, a new reference; NULL, without an exception: nothing. */
python_object *numpy_make_dtype(python_object *name);

/* The table in a capsule, and the head of this Python's objects. */
bool numpy_abi_load(python_object *capsule, size_t head);

/* NULL: none of NumPy's own type of arrays. */
static inline const struct numpy_fields *numpy_fields_of(const python_object *object) {
  const char *at = (const char *)object + numpy.head;
  const bool is_array = ((python_object *const *)(const void *)at)[-1] == numpy.array_type;
  return is_array ? (const struct numpy_fields *)(const void *)at : NULL;
}

#endif
