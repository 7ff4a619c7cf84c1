/* array.h - arrays of the plain kind, by the buffer protocol: in C order, of one of the library's
 * types; and columns of data frames (columns/column.h), without what is null in them
 *
 * Result    array_begin: false, without an exception, for any other object
 * Owner     an array's buffer is held until array_end */
#ifndef HEDDLE_PYTHON_ARRAY_H
#define HEDDLE_PYTHON_ARRAY_H

#include <stdbool.h>

#include "columns/column.h"
#include "fast.h"

struct array {
  struct python_buffer buffer;
  heddle_type type;
  bool is_bool, is_float;
  size_t count;
  struct column *column; /* NULL: an array with a buffer of its own */
};

/* How many elements have been left out, which are null. */
static inline size_t array_nulls(const struct array *a) {
  return a->column ? column_nulls(a->column) : 0;
}

/* flags: PYTHON_WRITABLE, or 0 */
bool array_begin(struct array *a, python_object *object, int flags);
/* The same of an array that lies in any order. */
bool array_begin_strided(struct array *a, python_object *object);
/* The same of one to be written to. */
bool array_begin_target(struct array *a, python_object *object);
void array_end(struct array *a);

/* The object that says that a call was left to Python's code, and which one that is. */
python_object *array_decline(void);
void array_decline_by(python_object *object);

#endif
