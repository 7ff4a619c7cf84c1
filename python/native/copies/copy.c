/* copy.c - a strided array's elements, one behind the other in C order
 *
 * Method   Planes of the last axis and of that whose elements are nearest, a tile at a time, so that what is
 *          read and what is written of a tile stays in L1; where those elements are neighbours, by squares of
 *          vectors. */
#include "copy.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 32 /* elements of a side */ };

/* Two axes: `rows` of `n` elements each. */
struct plane {
  size_t rows, n;
  ptrdiff_t from_row, from,
      to_row;       /* elements from one to the next; those written are neighbours */
  const char *next; /* what comes behind this one, or may: it is fetched */
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

/* ---- columns of neighbours ------------------------------------------------------------------------- */

enum {
  LINE = 64, /* bytes of a cache line */
  LINES =
      16, /* of a column that are read before those of the next ones: rows that are written are pages */
  CROWDED =
      8, /* the same of columns that begin in few sets of a cache, which one line each fills */
  SETS_BYTES = 64 << 10, /* columns that far apart share sets of the second cache, too */
  FETCHED = 128          /* rows of columns between what is fetched and what is copied */
};

/* Where row r's element of column c is written, and where it is read. */
static inline char *to_of(char *to, ptrdiff_t to_row, size_t r, size_t c, ptrdiff_t bytes) {
  return to + ((ptrdiff_t)r * to_row + (ptrdiff_t)c) * bytes;
}
static inline const char *from_of(const char *from, const struct plane *p, size_t r, size_t c,
                                  ptrdiff_t bytes) {
  return from + ((ptrdiff_t)c * p->from + (ptrdiff_t)r) * bytes;
}

/* A square of 16-byte vectors. */
static inline void copy_square_4(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  typedef uint32_t vector __attribute__((vector_size(16)));
  vector v[4];
  for (ptrdiff_t k = 0; k < 4; k++) memcpy(&v[k], from + k * column * 4, 16);
  const vector a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
  const vector b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
  const vector d = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  const vector e = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(d, e, 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(d, e, 2, 3, 6, 7);
  for (ptrdiff_t k = 0; k < 4; k++) memcpy(to + k * to_row * 4, &v[k], 16);
}
static inline void copy_square_8(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  typedef uint64_t vector __attribute__((vector_size(16)));
  vector a, b;
  memcpy(&a, from, 16);
  memcpy(&b, from + column * 8, 16);
  const vector low = __builtin_shufflevector(a, b, 0, 2);
  const vector high = __builtin_shufflevector(a, b, 1, 3);
  memcpy(to, &low, 16);
  memcpy(to + to_row * 8, &high, 16);
}
static inline void copy_square_2(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  typedef uint16_t vector __attribute__((vector_size(16)));
  enum { SIDE = 8 };
  vector v[SIDE], w[SIDE];
  for (ptrdiff_t k = 0; k < SIDE; k++) memcpy(&v[k], from + k * column * 2, 16);
  for (int h = SIDE; h > 1; h /= 2) {
    for (int i = 0; i < SIDE / 2; i++) {
      w[2 * i] = __builtin_shufflevector(v[i], v[i + SIDE / 2], 0, 8, 1, 9, 2, 10, 3, 11);
      w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + SIDE / 2], 4, 12, 5, 13, 6, 14, 7, 15);
    }
    memcpy(v, w, sizeof v);
  }
  for (ptrdiff_t k = 0; k < SIDE; k++) memcpy(to + k * to_row * 2, &v[k], 16);
}
static inline void copy_square_1(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column) {
  typedef uint8_t vector __attribute__((vector_size(16)));
  enum { SIDE = 16 };
  vector v[SIDE], w[SIDE];
  for (ptrdiff_t k = 0; k < SIDE; k++) memcpy(&v[k], from + k * column, 16);
  for (int h = SIDE; h > 1; h /= 2) {
    for (int i = 0; i < SIDE / 2; i++) {
      w[2 * i] = __builtin_shufflevector(v[i], v[i + SIDE / 2], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                                         5, 21, 6, 22, 7, 23);
      w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + SIDE / 2], 8, 24, 9, 25, 10, 26, 11, 27,
                                             12, 28, 13, 29, 14, 30, 15, 31);
    }
    memcpy(v, w, sizeof v);
  }
  for (ptrdiff_t k = 0; k < SIDE; k++) memcpy(to + k * to_row, &v[k], 16);
}
static inline __attribute__((always_inline)) void
copy_square(char *to, ptrdiff_t to_row, const char *from, ptrdiff_t column, ptrdiff_t bytes) {
  switch (bytes) {
  case 1: copy_square_1(to, to_row, from, column); break;
  case 2: copy_square_2(to, to_row, from, column); break;
  case 4: copy_square_4(to, to_row, from, column); break;
  default: copy_square_8(to, to_row, from, column);
  }
}

/* `rows` rows of n columns, at least a square's of each; the last squares overlap those before. */
static inline __attribute__((always_inline)) void copy_squares(char *to, ptrdiff_t to_row,
                                                               const char *from, ptrdiff_t column,
                                                               size_t rows, size_t n,
                                                               ptrdiff_t bytes) {
  const size_t side = (size_t)(16 / bytes);
  for (size_t i = 0; i < n; i += side) {
    const size_t c = i + side <= n ? i : n - side;
    for (size_t k = 0; k < rows; k += side) {
      const size_t r = k + side <= rows ? k : rows - side;
      copy_square(to_of(to, to_row, r, c, bytes), to_row,
                  from + ((ptrdiff_t)c * column + (ptrdiff_t)r) * bytes, column, bytes);
    }
  }
}

/* How the blocks of a plane are made: a cache line of as many columns as a line of what is written has. Without
 * vectors that are lines, rows that begin a multiple of 2048 bytes apart, which are few sets of a cache, are made
 * beside them and copied whole. */
struct blocks {
  struct copy_blocks by; /* of the plane's bytes; NULL: there are no such vectors */
  bool staged;
};

static inline __attribute__((always_inline)) void copy_block(char *to, const char *from,
                                                             const struct plane *p,
                                                             const struct blocks *b,
                                                             ptrdiff_t bytes) {
  const size_t side = (size_t)(LINE / bytes);
  _Alignas(LINE) char stage[LINE * LINE];
  if (b->by.line) {
    b->by.line(to, p->to_row * bytes, from, p->from * bytes);
  } else if (!b->staged) {
    copy_squares(to, p->to_row, from, p->from, side, side, bytes);
  } else {
    copy_squares(stage, (ptrdiff_t)side, from, p->from, side, side, bytes);
    for (size_t k = 0; k < side; k++)
      memcpy(to_of(to, p->to_row, k, 0, bytes), stage + k * LINE, LINE);
  }
}

/* The `side` columns that come `ahead` columns behind c, in this plane or in the next one; to the second-level
 * cache, where those of a few sets of the first would drive this block's out. */
static inline __attribute__((always_inline)) const char *
columns_ahead(const char *from, const struct plane *p, size_t c, size_t ahead, size_t side,
              ptrdiff_t bytes) {
  const size_t all = (p->n + side - 1) / side * side, at = c + ahead;
  if (at < all) return from_of(from, p, 0, least(at, p->n - side), bytes);
  return p->next && at - all < p->n ? from_of(p->next, p, 0, least(at - all, p->n - side), bytes)
                                    : NULL;
}

static inline __attribute__((always_inline)) void
fetch_columns(const char *x, const struct plane *p, size_t side, ptrdiff_t bytes) {
  const bool crowded = p->from * bytes % 2048 == 0;
  for (size_t k = 0; k < side; k++)
    if (crowded)
      __builtin_prefetch(from_of(x, p, 0, k, bytes), 0, 2);
    else
      __builtin_prefetch(from_of(x, p, 0, k, bytes));
}

/* Rows [first, end) of the columns from i on that are of one block, block by block; the last one, down and across,
 * overlaps the one before. Of few columns half a block may do. */
static inline __attribute__((always_inline)) void
copy_down(char *to, const char *from, const struct plane *p, const struct blocks *b, size_t first,
          size_t end, size_t i, const char *ahead, ptrdiff_t bytes) {
  const size_t side = (size_t)(LINE / bytes), left = p->n - i;
  const bool half = b->by.half && left <= side / 2;
  const size_t c = half ? p->n - side / 2 : least(i, p->n - side);
  for (size_t k = first; k < end; k += side) {
    const size_t r = k + side <= p->rows ? k : p->rows - side;
    if (ahead) fetch_columns(ahead + (ptrdiff_t)r * bytes, p, side, bytes);
    if (half)
      b->by.half(to_of(to, p->to_row, r, c, bytes), p->to_row * bytes,
                 from_of(from, p, r, c, bytes), p->from * bytes);
    else
      copy_block(to_of(to, p->to_row, r, c, bytes), from_of(from, p, r, c, bytes), p, b, bytes);
  }
}

/* Rows [r, end) of columns that begin in few sets of all caches: what is read of a column lies in many sets, and is
 * moved at once to where the columns side by side do not drive each other out. */
static inline __attribute__((always_inline)) void copy_crowded(char *to, const char *from,
                                                               const struct plane *p,
                                                               const struct blocks *b, size_t r,
                                                               size_t end, ptrdiff_t bytes) {
  enum { PITCH = (CROWDED + 2) * LINE };
  const size_t side = (size_t)(LINE / bytes), first = least(r, end - side), rows = end - first;
  _Alignas(LINE) char stage[LINE / 4 * PITCH];
  const struct plane staged = {rows, side, 1, PITCH / bytes, p->to_row, NULL};
  for (size_t i = 0; i < p->n; i += side) {
    const size_t c = least(i, p->n - side);
    const char *x = from_of(from, p, first, c, bytes);
    const char *next = columns_ahead(from, p, i, side, side, bytes);
    for (size_t k = 0; k < side; k++) {
      for (size_t e = 0; next && e < rows; e += side)
        __builtin_prefetch(from_of(next, p, first + e, k, bytes));
      memcpy(stage + k * PITCH, from_of(x, p, 0, k, bytes), rows * (size_t)bytes);
    }
    copy_down(to_of(to, p->to_row, first, c, bytes), stage, &staged, b, 0, rows, 0, NULL, bytes);
  }
}

/* Line by line of all columns, where what is written of one stays in the first cache together with what is read: so much
 * of a column is fetched ahead by the processor itself. */
static inline __attribute__((always_inline)) void copy_narrow(char *to, const char *from,
                                                              const struct plane *p,
                                                              copy_beside *beside, size_t lead,
                                                              ptrdiff_t bytes) {
  const size_t side = (size_t)(LINE / bytes), last = p->n - side;
  for (size_t k = 0; k < p->rows; k += k || !lead ? side : lead) {
    const size_t r = least(k, p->rows - side);
    beside(to_of(to, p->to_row, r, 0, bytes), p->to_row * bytes, from_of(from, p, r, 0, bytes),
           p->from * bytes, p->n / side);
    if (p->n % side)
      beside(to_of(to, p->to_row, r, last, bytes), p->to_row * bytes,
             from_of(from, p, r, last, bytes), p->from * bytes, 1);
  }
}

/* Blocks down the rows, which begin where the lines of all columns do if they do so together; the others
 * overlap. */
static inline __attribute__((always_inline)) void copy_columns(char *to, const char *from,
                                                               const struct plane *p,
                                                               const struct copy_blocks *blocks,
                                                               ptrdiff_t bytes) {
  const size_t side = (size_t)(LINE / bytes), square = (size_t)(16 / bytes);
  const struct blocks b = {*blocks, p->to_row * bytes % 2048 == 0};
  if (p->rows < square || p->n < square) {
    copy_plane(to, from, p, bytes);
    return;
  }
  if (p->rows < side || p->n < side) {
    copy_squares(to, p->to_row, from, p->from, p->rows, p->n, bytes);
    return;
  }
  size_t lead = p->from * bytes % LINE ? 0 : -(uintptr_t)from % LINE / (size_t)bytes;
  if (p->rows < lead + side) lead = 0;
  if (blocks->beside && p->from * bytes % 2048 && p->to_row * LINE <= COPY_NARROW) {
    copy_narrow(to, from, p, blocks->beside, lead, bytes);
    return;
  }
  const size_t lines = p->from * bytes % 2048 ? LINES : CROWDED;
  for (size_t r = 0, end; r < p->rows; r = end) {
    end = least(r + lines * side + (r ? 0 : lead), p->rows);
    if (p->from * bytes % SETS_BYTES == 0 && bytes >= 4) {
      copy_crowded(to, from, p, &b, r, end, bytes);
      continue;
    }
    const size_t ahead = (FETCHED + (end - r) - 1) / (end - r) * side;
    for (size_t i = 0; i < p->n; i += side) {
      const char *next = columns_ahead(from, p, i, ahead, side, bytes);
      if (lead && !r) copy_down(to, from, p, &b, 0, 1, i, NULL, bytes);
      copy_down(to, from, p, &b, r ? r : lead, end, i, next, bytes);
    }
  }
}

static void copy_sized(char *to, const char *from, const struct plane *p, size_t bytes) {
  if (p->from == 1) {
    copy_rows(to, from, p, (ptrdiff_t)bytes);
    return;
  }
  if (p->from_row != 1) {
    switch (bytes) {
    case 1: copy_plane(to, from, p, 1); break;
    case 2: copy_plane(to, from, p, 2); break;
    case 4: copy_plane(to, from, p, 4); break;
    default: copy_plane(to, from, p, 8);
    }
    return;
  }
  static const struct copy_lines none;
  const struct copy_lines *best = copy_lines_by_vectors(), *lines = best ? best : &none;
  switch (bytes) {
  case 1: copy_columns(to, from, p, &none.of_4, 1); break;
  case 2: copy_columns(to, from, p, &none.of_4, 2); break;
  case 4: copy_columns(to, from, p, &lines->of_4, 4); break;
  default: copy_columns(to, from, p, &lines->of_8, 8);
  }
}

void *copy_room(size_t bytes) { return aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE); }

static size_t nearest(size_t dims, const ptrdiff_t *strides) {
  size_t found = 0;
  for (size_t d = 1; d + 1 < dims; d++) {
    const ptrdiff_t a = strides[d], b = strides[found];
    if ((a < 0 ? -a : a) <= (b < 0 ? -b : b)) found = d;
  }
  return found;
}

/* The next index of all axes in front of the last but `rows`; false: there is none. *from and *own move along. */
static bool step(size_t *place, size_t last, size_t rows, const size_t *shape,
                 const ptrdiff_t *strides, const ptrdiff_t *own, ptrdiff_t *from, ptrdiff_t *to) {
  for (size_t d = last; d-- > 0;) {
    if (d == rows) continue;
    *from += strides[d], *to += own[d];
    if (++place[d] < shape[d]) return true;
    *from -= (ptrdiff_t)shape[d] * strides[d], *to -= (ptrdiff_t)shape[d] * own[d];
    place[d] = 0;
  }
  return false;
}

void copy_in_order(void *to, const void *from, size_t dims, const size_t *shape,
                   const ptrdiff_t *strides, size_t bytes) {
  size_t place[64] = {0}, last = dims - 1, rows = nearest(dims, strides);
  ptrdiff_t own[64] /* strides of the copy */, x = 0, y = 0, size = (ptrdiff_t)bytes;
  struct plane p = {1, shape[last], 0, strides[last], 0, NULL};
  bool more;
  own[last] = 1;
  for (size_t d = last; d-- > 0;) own[d] = own[d + 1] * (ptrdiff_t)shape[d + 1];
  if (dims > 1) p.rows = shape[rows], p.from_row = strides[rows], p.to_row = own[rows];
  do {
    const char *plane = (const char *)from + x * size;
    char *made = (char *)to + y * size;
    more = step(place, last, rows, shape, strides, own, &x, &y);
    p.next = (const char *)from + (more ? x : (ptrdiff_t)shape[0] * strides[0]) * size;
    copy_sized(made, plane, &p, bytes);
  } while (more);
}
