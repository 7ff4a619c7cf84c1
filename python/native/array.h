/* array.h - arrays of the plain kind, by the buffer protocol: in C order, of one of the library's
 * types; and columns of data frames (columns/column.h), without what is null in them
 *
 * Result    array_begin: false, without an exception, for any other object
 * Method    an array of NumPy's is read by its fields (numpy_abi.h), in a tenth of the time of a buffer
 * Owner     an array, or its buffer, is held until array_end. Shape and strides may be NumPy's own: they are
 *           read before the interpreter's lock is left
 * Limits    memory of the host; that of a CUDA device is for exchange_begin alone */
#ifndef HEDDLE_PYTHON_ARRAY_H
#define HEDDLE_PYTHON_ARRAY_H

#include <stdbool.h>

#include "columns/column.h"
#include "fast.h"

enum { ARRAY_OF_HOST = -1 };

struct framework;  /* tensors/exchange.h */
struct dl_managed; /* tensors/dlpack.h */

struct array {
  struct python_buffer buffer;
  heddle_type type;
  bool is_bool, is_float;
  size_t count;
  struct column *column; /* NULL: an array with a buffer of its own */
  bool by_fields;        /* its owner is held, but no buffer of its */
  const struct framework
      *framework; /* of the framework whose tensor it is (tensors/exchange.h); NULL: it is none */
  /* What follows is a tensor's alone. */
  struct dl_managed *managed; /* held; NULL: it need not be */
  int ordinal;                /* of the CUDA device whose memory it is, or ARRAY_OF_HOST */
  ptrdiff_t steps[HEDDLE_MAX_DIMS], lengths[HEDDLE_MAX_DIMS];
};

/* How many elements have been left out, which are null. */
static inline size_t array_nulls(const struct array *a) {
  return a->column ? column_nulls(a->column) : 0;
}

/* Whether elements lie in C order without gaps. */
static inline bool array_is_in_order(const struct array *a) {
  ptrdiff_t step = a->buffer.item_bytes;
  for (int d = a->buffer.dims; d-- > 0; step *= a->buffer.shape[d])
    if (a->buffer.shape[d] != 1 && a->buffer.strides[d] != step) return false;
  return true;
}

/* flags: PYTHON_WRITABLE, or 0 */
bool array_begin(struct array *a, python_object *object, int flags);
/* The same of one that is read by the last calls of pieces.h alone, as it may lie in pieces: then its buffer has no data. */
bool array_begin_whole(struct array *a, python_object *object);
static inline bool array_in_pieces(const struct array *a) {
  return a->column && a->count && !a->buffer.data;
}
/* The same of an array of NumPy's own of one dimension, without gaps. */
bool array_begin_line(struct array *a, python_object *object);
/* The same of an array that lies in any order. */
bool array_begin_strided(struct array *a, python_object *object);
/* The same of one to be written to. */
bool array_begin_target(struct array *a, python_object *object);
void array_end(struct array *a);

/* What an argument `dtype` names: a dtype of NumPy's, one of its types of scalars, a name. False, without an
 * exception: it is for Python's code. */
struct array_kind {
  heddle_type type;
  bool is_bool, is_float;
};
bool array_kind_of(struct array_kind *kind, python_object *dtype);

/* Whether NumPy's functions may be used, as its fields are. */
bool array_of_numpy(void);

/* The object that says that a call was left to Python's code, and which one that is. */
python_object *array_decline(void);
/* Whether a call's result is that object, which is dropped then. */
bool array_is_declined(python_object *result);
void array_decline_by(python_object *object);

#endif
