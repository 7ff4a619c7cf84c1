/* around.h - an array around one of its elements: what is less before it, the rest behind */
#ifndef HEDDLE_PYTHON_NATIVE_AROUND_H
#define HEDDLE_PYTHON_NATIVE_AROUND_H

#include "array.h"

enum { HEDDLE_PY_AROUND_LEAST = 4096 }; /* elements, below which a sort is as fast */

/* out[place] = what the sorted array has there, or around NaN one of them. Few elements, and those of a byte, come
 * sorted. */
heddle_status heddle_py_around(heddle_context *ctx, const struct array *a, size_t place, void *out);

#endif
