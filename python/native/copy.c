/* copy.c - a strided array's elements, one behind the other in C order
 *
 * Method   Planes of the last axis and of that whose elements are nearest, a tile at a time, so that what is
 *          read and what is written of a tile stays in L1. */
#include "lines.h"

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

/* Rows [r, r + m) of columns [c, c + n). Each caller's size is a constant. */
static inline void copy_tile(char *to, const char *from, const struct plane *p, size_t r, size_t m,
                             size_t c, size_t n, ptrdiff_t bytes) {
  for (size_t i = r; i < r + m; i++) {
    char *row = to + ((ptrdiff_t)i * p->to_row + (ptrdiff_t)c) * bytes;
    const char *x = from + ((ptrdiff_t)i * p->from_row + (ptrdiff_t)c * p->from) * bytes;
    for (ptrdiff_t e = 0; e < (ptrdiff_t)n; e++)
      memcpy(row + e * bytes, x + e * p->from * bytes, (size_t)bytes);
  }
}

static inline void copy_plane(char *to, const char *from, const struct plane *p, ptrdiff_t bytes) {
  for (size_t c = 0; c < p->n; c += TILE)
    for (size_t r = 0; r < p->rows; r += TILE)
      copy_tile(to, from, p, r, least(TILE, p->rows - r), c, least(TILE, p->n - c), bytes);
}

/* Rows of neighbours. */
static void copy_rows(char *to, const char *from, const struct plane *p, ptrdiff_t bytes) {
  for (size_t r = 0; r < p->rows; r++)
    memcpy(to + (ptrdiff_t)r * p->to_row * bytes, from + (ptrdiff_t)r * p->from_row * bytes,
           p->n * (size_t)bytes);
}

/* Columns of neighbours, by squares of 16-byte vectors; what is left over one by one. */
static void copy_columns_4(char *to, const char *from, const struct plane *p) {
  typedef uint32_t vector __attribute__((vector_size(16)));
  const size_t rows = p->rows / 4 * 4, n = p->n / 4 * 4;
  for (size_t c = 0; c < n; c += 4)
    for (size_t r = 0; r < rows; r += 4) {
      vector v[4];
      for (size_t k = 0; k < 4; k++)
        memcpy(&v[k], from + ((ptrdiff_t)(c + k) * p->from + (ptrdiff_t)r) * 4, 16);
      const vector a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
      const vector b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
      const vector d = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
      const vector e = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
      v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
      v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
      v[2] = __builtin_shufflevector(d, e, 0, 1, 4, 5);
      v[3] = __builtin_shufflevector(d, e, 2, 3, 6, 7);
      for (size_t k = 0; k < 4; k++)
        memcpy(to + ((ptrdiff_t)(r + k) * p->to_row + (ptrdiff_t)c) * 4, &v[k], 16);
    }
  copy_tile(to, from, p, rows, p->rows - rows, 0, n, 4);
  copy_tile(to, from, p, 0, p->rows, n, p->n - n, 4);
}

static void copy_columns_8(char *to, const char *from, const struct plane *p) {
  typedef uint64_t vector __attribute__((vector_size(16)));
  const size_t rows = p->rows / 2 * 2, n = p->n / 2 * 2;
  for (size_t c = 0; c < n; c += 2)
    for (size_t r = 0; r < rows; r += 2) {
      vector a, b;
      memcpy(&a, from + ((ptrdiff_t)c * p->from + (ptrdiff_t)r) * 8, 16);
      memcpy(&b, from + ((ptrdiff_t)(c + 1) * p->from + (ptrdiff_t)r) * 8, 16);
      const vector low = __builtin_shufflevector(a, b, 0, 2);
      const vector high = __builtin_shufflevector(a, b, 1, 3);
      memcpy(to + ((ptrdiff_t)r * p->to_row + (ptrdiff_t)c) * 8, &low, 16);
      memcpy(to + ((ptrdiff_t)(r + 1) * p->to_row + (ptrdiff_t)c) * 8, &high, 16);
    }
  copy_tile(to, from, p, rows, p->rows - rows, 0, n, 8);
  copy_tile(to, from, p, 0, p->rows, n, p->n - n, 8);
}

static void copy_sized(char *to, const char *from, const struct plane *p, size_t bytes) {
  if (p->from == 1) {
    copy_rows(to, from, p, (ptrdiff_t)bytes);
    return;
  }
  switch (bytes) {
  case 1: copy_plane(to, from, p, 1); break;
  case 2: copy_plane(to, from, p, 2); break;
  case 4:
    if (p->from_row == 1)
      copy_columns_4(to, from, p);
    else
      copy_plane(to, from, p, 4);
    break;
  default:
    if (p->from_row == 1)
      copy_columns_8(to, from, p);
    else
      copy_plane(to, from, p, 8);
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
