/* around.h - an array around one of its elements: what is less before it, the rest behind */
#ifndef HEDDLE_PYTHON_NATIVE_AROUND_H
#define HEDDLE_PYTHON_NATIVE_AROUND_H

#include "array.h"

/* out[place] = what the sorted array has there. Few elements, and those around a NaN or a zero, of which a sort knows
 * the order, come sorted. */
heddle_status heddle_py_around(heddle_context *ctx, const struct array *a, size_t place, void *out);

#endif
