/* copy.h - a strided array's elements, one behind the other in C order */
#ifndef HEDDLE_PYTHON_COPY_H
#define HEDDLE_PYTHON_COPY_H

#include <stddef.h>

/* Memory that begins with a cache line, as what is copied by vectors is written best; NULL, or to be freed. */
void *copy_room(size_t bytes);
enum {
  /* Bytes of a line of each column, of columns of neighbours, that stay in the first cache together with what is
   * read next: they are copied line by line. */
  COPY_NARROW = 20 << 10,
  COPY_MOST = 1 << 19 /* bytes that are copied at once stay in the second cache */
};
/* `dims` > 0 axes of shape > 0 each, strides of elements of 1, 2, 4 or 8 bytes. */
void copy_in_order(void *to, const void *from, size_t dims, const size_t *shape,
                   const ptrdiff_t *strides, size_t bytes);

/* A block: a cache line of neighbours of as many columns as it has elements, `column` bytes apart, becomes rows,
 * `to_row` bytes apart. */
typedef void copy_line(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column);
/* Blocks side by side, whose rows stay in the first cache. */
typedef void copy_beside(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column,
                         size_t blocks);
struct copy_blocks {
  copy_line *line, *half; /* half: of half as many columns */
  copy_beside *beside;
};
struct copy_lines {
  struct copy_blocks of_4, of_8; /* bytes an element */
};
/* NULL: the processor has no vectors for it. */
const struct copy_lines *copy_lines_by_vectors(void);

#endif
