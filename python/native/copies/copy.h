/* copy.h - a strided array's elements, one behind the other in C order */
#ifndef HEDDLE_PYTHON_COPY_H
#define HEDDLE_PYTHON_COPY_H

#include <stddef.h>

/* Memory that begins with a cache line, as what is copied by vectors is written best; NULL, or to be freed. */
void *copy_room(size_t bytes);
/* `dims` > 0 axes of shape > 0 each, strides of elements of 1, 2, 4 or 8 bytes. */
void copy_in_order(void *to, const void *from, size_t dims, const size_t *shape,
                   const ptrdiff_t *strides, size_t bytes);

/* A cache line of neighbours of as many columns as it has elements, `column` bytes apart, becomes rows, `to_row`
 * bytes apart. */
typedef void copy_line(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column);
struct copy_lines {
  copy_line *of_4, *of_8;           /* bytes an element */
  copy_line *half_of_4, *half_of_8; /* of half as many columns */
};
/* NULL: the processor has no vectors for it. */
const struct copy_lines *copy_lines_by_vectors(void);

#endif
