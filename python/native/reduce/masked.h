/* masked.h - the lines of an array of which a mask lets some elements through
 *
 * Result    masked_each: one part after the other, whose elements lie in a buffer row by row, those that
 *           do not count as `fill`; masked_stream: all elements of one row, in its order. Both end at the
 *           first status that is not HEDDLE_OK, and return it
 * Order     a part's rows are whole; a row's elements are in its order */
#ifndef HEDDLE_PYTHON_MASKED_H
#define HEDDLE_PYTHON_MASKED_H

#include "call.h"
#include "lines.h"

enum masked_mask {
  MASKED_UNSEEN,  /* a part is its elements alone */
  MASKED_SEEN,    /* and which of them count */
  MASKED_WITH_NAN /* and of floats, what is not finite among those */
};

struct masked {
  const struct lines *l;          /* with a mask or without one */
  heddle_type type;               /* of the elements in the buffer: the array's, or HEDDLE_F64 */
  union number fill;              /* one of them */
  enum masked_mask mask;          /* what is wanted of it */
  bool without_nan;               /* NaN do not count */
  bool found_nan, found_infinite; /* set: of the elements that the mask lets through */
};

struct masked_part {
  const void *data;
  const uint8_t *counting; /* 1 for elements that count; NULL if unseen */
  size_t count;
  heddle_rows rows;          /* of both */
  size_t shape[2];           /* of rows */
  size_t first_row, results; /* the place of its results */
};

typedef heddle_status masked_taker(void *to, const struct masked_part *part);

/* Whether all is one row of more than a part. */
bool masked_is_long(const struct lines *l);
heddle_status masked_each(struct masked *m, masked_taker *take, void *to);
heddle_status masked_stream(struct masked *m, masked_taker *take, void *to);

/* select.c: `count` elements of `bytes` each, those with a 0 beside them as the one at `fill`. Bools: True
 * becomes 1. `step` of the mask: 0 or 1. Nothing lies in one another. */
void select_some(void *to, const void *from, const uint8_t *mask, ptrdiff_t step, size_t count,
                 size_t bytes, const void *fill, bool is_bool);
/* A mask of bytes 0 and 1. */
void select_mask(uint8_t *to, const uint8_t *mask, ptrdiff_t step, size_t count);
/* What floats with a 1 beside them are not finite: m->found_nan, m->found_infinite. NaN become 0 in the mask
 * if they do not count. */
void select_numbers(struct masked *m, uint8_t *mask, const void *from, size_t count);
/* Bytes to 1, unless they are 0. */
void select_ones(uint8_t *bools, size_t count);

#endif
