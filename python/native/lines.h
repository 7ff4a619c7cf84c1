/* lines.h - an array as the rows of a call: along one of its axes, several, or all
 *
 * Result    lines_begin: false, without an exception, for what is left to Python's code. lines_ready:
 *           HEDDLE_OK, or HEDDLE_OUT_OF_MEMORY; it needs no interpreter
 * Owner     the array's buffer and the copy are held until lines_end
 * Limits    no empty arrays: what they give, or raise, is for Python's code */
#ifndef HEDDLE_PYTHON_LINES_H
#define HEDDLE_PYTHON_LINES_H

#include "array.h"
#include "copies/copy.h"

/* In which order elements of several axes may be folded. */
enum lines_order { LINES_IN_ORDER, LINES_OF_FLOATS_IN_ORDER, LINES_IN_ANY_ORDER };

struct lines {
  const char *data;       /* where row 0 begins */
  heddle_rows rows;       /* of `shape` and `strides` */
  size_t kept_dims;       /* of the rows: those in front of what is folded */
  size_t rest;            /* results of the rows that make one; 1 but in any order */
  size_t results, length; /* of the call; elements of one */
  size_t result_dims;
  bool reversed;     /* the results lie in Fortran order */
  const char *block; /* where all elements lie without gaps, in some order; NULL: they do not */
  char *copy;        /* of elements that no rows reach in order */
  double *converted; /* elements as f64, which are what they were; NULL: they are the array's */
  bool copied;       /* by lines_ready; in_pieces or in_parts, by the call (copies/) */
  bool in_pieces, in_parts, any_order;
  const char *mask; /* where that of row 0 begins; NULL: every element counts */
  /* What follows is as long as it may have to be, and written before it is read. */
  struct array a,
      mask_array; /* bools as many as elements, by their steps; nothing without a mask */
  size_t shape[HEDDLE_MAX_DIMS + 1];
  ptrdiff_t strides[HEDDLE_MAX_DIMS + 1]; /* of elements */
  size_t result_shape[HEDDLE_MAX_DIMS];
  ptrdiff_t mask_strides[HEDDLE_MAX_DIMS + 1];
};

/* axis: None or NULL, a whole number or a tuple of them. keepdims: folded axes stay, of length 1. */
bool lines_begin(struct lines *l, python_object *object, python_object *axis, bool keepdims,
                 enum lines_order order);
/* The same of the elements that a mask, an array of bools that broadcasts to theirs, lets through; NULL
 * or True: all. With one, rows are read by masked.h alone. */
bool lines_begin_where(struct lines *l, python_object *object, python_object *where,
                       python_object *axis, bool keepdims, enum lines_order order);
/* The same for results as many as elements, along one axis. */
bool lines_begin_whole(struct lines *l, python_object *object, python_object *axis);
/* The same of an array that is held already, as l->a, and ends where the result is false. Nothing of its memory
 * is read, which may be a device's. */
bool lines_of_held(struct lines *l, python_object *where, python_object *axis, bool keepdims,
                   enum lines_order order);
bool lines_of_held_whole(struct lines *l, python_object *axis);
/* A few integers of 64 bits in C order become f64. False, and nothing done: they are others. */
bool lines_as_f64(struct lines *l);
/* Whether all elements are one row of neighbours; after lines_ready. */
static inline bool lines_are_one(const struct lines *l) {
  const size_t axis = l->rows.axis;
  return l->shape[axis] == l->a.count && (l->strides[axis] == 1 || l->a.count == 1);
}
heddle_status lines_ready(struct lines *l);
/* HEDDLE_OK, or bools that an operator would count are not all 0 and 1. */
heddle_status lines_numbers(heddle_context *ctx, const struct lines *l);
/* Whether results are nearer in memory than elements of a row; and the axes for a copy that keeps that:
 * of columns with the folded ones in front. */
bool lines_are_columns(const struct lines *l);
void lines_walk(const struct lines *l, bool columns, size_t *shape, ptrdiff_t *strides,
                ptrdiff_t *steps);
void lines_end(struct lines *l);

#endif
