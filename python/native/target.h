/* target.h - where a call's results go: an array that NumPy makes, or a framework for its own tensors; one of
 * the caller's; or a number
 *
 * Method   Where nothing is left of the shape there is one result, a scalar
 * Owner    the array's buffer and a reference are held until target_end */
#ifndef HEDDLE_PYTHON_TARGET_H
#define HEDDLE_PYTHON_TARGET_H

#include "call.h"
#include "lines.h"

struct target {
  python_object *object; /* NULL: a scalar */
  struct array array;
  union number number;
  void *at;
  bool raised; /* an exception is set: there is no result */
};

/* Whether NumPy can be asked. */
bool target_can(void);
/* A new array of one dimension, held, of the kind that an operand is; NULL, without an exception: there is
 * none. */
python_object *target_line(struct array *a, const struct array *operand, size_t count,
                           python_object *dtype);
/* A new array of NumPy's of any shape, held; NULL, without an exception: there is none. */
python_object *target_array(struct array *a, size_t dims, const size_t *lengths,
                            python_object *dtype);
/* A new array of the lines' results, or a number. False: an exception may be set. */
bool target_begin(struct target *t, const struct lines *l, python_object *dtype);
/* An array that the caller has: one line of the result's type, for elements that are one line, too. */
bool target_given(struct target *t, const struct lines *l, python_object *given, heddle_type type,
                  bool as_bool);
/* The object that a call with a status gives. */
python_object *target_end(struct target *t, heddle_status status, python_object *dtype,
                          heddle_type type);

/* No array could be made: memory is short, or NumPy's dtype is none of the library's. Ends the lines. */
python_object *target_none(struct lines *l);

#endif
