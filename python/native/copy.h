/* copy.h - a strided array's elements, one behind the other in C order */
#ifndef HEDDLE_PYTHON_COPY_H
#define HEDDLE_PYTHON_COPY_H

#include <stddef.h>

/* `dims` > 0 axes of shape > 0 each, strides of elements of 1, 2, 4 or 8 bytes. */
void copy_in_order(void *to, const void *from, size_t dims, const size_t *shape,
                   const ptrdiff_t *strides, size_t bytes);

#endif
