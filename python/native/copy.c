/* copy.c - a strided array's elements, one behind the other in C order
 *
 * Method   Planes of the last axis and of that whose elements are nearest, a tile at a time, so that what is
 *          read and what is written of a tile stays in L1. */
#include "copy.h"

#include <stdint.h>
#include <string.h>

enum { TILE = 32 /* elements of a side */ };

/* Two axes: `rows` of `n` elements each. */
struct plane {
  size_t rows, n;
  ptrdiff_t from_row, from,
      to_row; /* elements from one to the next; those written are neighbours */
};

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Each caller's size is a constant. */
static inline void copy_plane(char *to, const char *from, const struct plane *p, ptrdiff_t bytes) {
  const size_t tile = p->from == 1 ? p->n : TILE;
  for (size_t c = 0; c < p->n; c += tile)
    for (size_t r = 0; r < p->rows; r += TILE)
      for (size_t i = r; i < r + least(TILE, p->rows - r); i++) {
        char *row = to + ((ptrdiff_t)i * p->to_row + (ptrdiff_t)c) * bytes;
        const char *x = from + ((ptrdiff_t)i * p->from_row + (ptrdiff_t)c * p->from) * bytes;
        const size_t n = least(tile, p->n - c);
        if (p->from == 1)
          memcpy(row, x, n * (size_t)bytes);
        else
          for (ptrdiff_t e = 0; e < (ptrdiff_t)n; e++)
            memcpy(row + e * bytes, x + e * p->from * bytes, (size_t)bytes);
      }
}

static void copy_sized(char *to, const char *from, const struct plane *p, size_t bytes) {
  switch (bytes) {
  case 1: copy_plane(to, from, p, 1); break;
  case 2: copy_plane(to, from, p, 2); break;
  case 4: copy_plane(to, from, p, 4); break;
  default: copy_plane(to, from, p, 8); break;
  }
}

static size_t nearest(size_t dims, const ptrdiff_t *strides) {
  size_t found = 0;
  for (size_t d = 1; d + 1 < dims; d++) {
    const ptrdiff_t a = strides[d], b = strides[found];
    if ((a < 0 ? -a : a) <= (b < 0 ? -b : b)) found = d;
  }
  return found;
}

void copy_in_order(void *to, const void *from, size_t dims, const size_t *shape,
                   const ptrdiff_t *strides, size_t bytes) {
  size_t place[64] = {0}, last = dims - 1, rows = nearest(dims, strides);
  ptrdiff_t own[64]; /* strides of the copy */
  struct plane p = {1, shape[last], 0, strides[last], 0};
  own[last] = 1;
  for (size_t d = last; d-- > 0;) own[d] = own[d + 1] * (ptrdiff_t)shape[d + 1];
  if (dims > 1) p.rows = shape[rows], p.from_row = strides[rows], p.to_row = own[rows];
  for (;;) {
    ptrdiff_t x = 0, y = 0;
    for (size_t d = 0; d < last; d++)
      x += (ptrdiff_t)place[d] * strides[d], y += (ptrdiff_t)place[d] * own[d];
    copy_sized((char *)to + y * (ptrdiff_t)bytes, (const char *)from + x * (ptrdiff_t)bytes, &p,
               bytes);
    size_t d = last;
    while (d-- > 0) {
      if (d == rows) continue;
      if (++place[d] < shape[d]) break;
      place[d] = 0;
    }
    if (d == SIZE_MAX) return;
  }
}
