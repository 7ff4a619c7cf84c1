/* column.h - one column of a data frame: its elements that are not null, in one line of memory, or a piece of
 * them at a time
 *
 * Result   column_begin: NULL, without an exception, for any other object
 * Owner    the objects that memory is of must stay until column_end */
#ifndef HEDDLE_PYTHON_COLUMNS_COLUMN_H
#define HEDDLE_PYTHON_COLUMNS_COLUMN_H

#include <heddle.h>
#include <stdbool.h>

#include "python_abi.h"

struct column;

/* Whether an object may be one: of such a kind that it has no buffer. */
bool column_is(python_object *object);
/* Of the capsules that Arrow's methods give, an array or a stream, or of a tuple of two arrays: elements, and
 * bools that are true where one is null. *buffer is filled in as CPython's, of one dimension. */
struct column *column_begin(struct python_buffer *buffer, python_object *object);
/* The same; of many, of which some are null, nothing is copied: the buffer has no data, and column_each has
 * the elements. */
struct column *column_begin_pieces(struct python_buffer *buffer, python_object *object);
void column_end(struct column *c);

/* Takes a piece of the elements that are not null, each behind the one before. */
typedef heddle_status column_taker(void *to, const void *elements, size_t count);
heddle_status column_each(const struct column *c, column_taker *take, void *to);

/* The same of all elements, in the place of those that are null the one whose bytes are at `fill`, or without one
 * the first that is not. False: it is not possible, of this size or where nothing is cut. */
bool column_can_fill(const struct column *c);
heddle_status column_each_filled(const struct column *c, const void *fill, column_taker *take,
                                 void *to);

/* How many elements are null. */
size_t column_nulls(const struct column *c);
/* Where element `index` of those that are not was among all of them. */
size_t column_place(const struct column *c, size_t index);
/* Values of those that are not null, one behind the other in memory for all of them, go to their places, and 0
 * to the others; valid: which ones they are. */
void column_spread(const struct column *c, void *values, size_t bytes, bool *valid);

#endif
