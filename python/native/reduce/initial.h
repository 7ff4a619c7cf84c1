/* initial.h - the argument `initial`: one number of a result's type
 *
 * Result   false, without an exception: it is none that the type holds, or none at all; what that gives, or
 *          raises, is for Python's code */
#ifndef HEDDLE_PYTHON_INITIAL_H
#define HEDDLE_PYTHON_INITIAL_H

#include "call.h"

/* Whether an object is a number; np._NoValue, which stands for none, is not. */
bool initial_is_given(python_object *object);
bool initial_read(python_object *object, heddle_type type, bool is_float, union number *number);

#endif
