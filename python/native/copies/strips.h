/* strips.h - lines of a strip of columns, folded onto the lanes of their chunks, a vector of columns at a time */
#ifndef HEDDLE_PYTHON_STRIPS_H
#define HEDDLE_PYTHON_STRIPS_H

#include <stdbool.h>
#include <stddef.h>

enum {
  VECTOR = 32 /* bytes, of lanes */
};

/* Columns side by side: at least as many as a vector of lanes has numbers. */
struct strip {
  size_t columns,
      vectors; /* of a line; the last vector ends with it, and overlaps the one before */
};

/* What lanes hold, and of what elements. */
enum strips_type { STRIPS_F32, STRIPS_F64, STRIPS_WIDE /* f32 in f64 */ };

/* Each lane of `lines` rows of them = lane op the element that belongs to it, of as many lines from x on, `pitch` bytes
 * apart. moved: x is a column on, and the strip's last column has no neighbour, and is taken for it. */
typedef void strips_lines(char *lanes, const char *x, ptrdiff_t pitch, size_t lines,
                          const struct strip *s, bool moved);

/* That of sums or products on this processor. */
strips_lines *strips_fold(bool product, enum strips_type type);

#endif
