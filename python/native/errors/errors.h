/* errors.h - overflow and invalid values, of which NumPy warns: by what a result is and what it is made of
 *
 * Result   false: an exception is set, since np.errstate says so
 * Method   A result that is finite is not looked at any further. An infinity of elements of which none is
 *          is an overflow; a NaN of elements of which none is, is an invalid value, and an overflow, too, if
 *          none is infinite
 * Cost     where a result is not finite, one more pass over the elements, or two */
#ifndef HEDDLE_PYTHON_ERRORS_ERRORS_H
#define HEDDLE_PYTHON_ERRORS_ERRORS_H

#include "array.h"
#include "lines.h"

/* What NumPy calls the operation. */
enum errors_call { ERRORS_REDUCE, ERRORS_ACCUMULATE, ERRORS_DOT, ERRORS_REDUCEAT };

/* Before and behind the library's call, in one thread: whether the processor's own flags say that nothing
 * overflowed and that nothing was invalid, so that no result need be looked at. They say it of long calls of one
 * thread of a CPU alone, and where its mode is the usual one. */
bool errors_begin(heddle_context *ctx, const struct array *a);
bool errors_none(bool begun);
/* Whether a number among `count` is not finite; of integers none is. */
bool errors_are_odd(heddle_type type, const void *x, size_t count);
/* Of one result of a type, of all elements of an array, or of two. b: NULL for one. */
bool errors_of_whole(heddle_context *ctx, const struct array *a, const struct array *b,
                     heddle_type type, const void *result, enum errors_call call);
/* Whether a result of lines is not finite. */
bool errors_are_possible(heddle_context *ctx, const struct lines *l, heddle_type type,
                         const void *results);
/* Of the results of lines, in their order, or of scans: there the last one of each row is looked at. skip: NaN
 * do not count. */
bool errors_of_lines(heddle_context *ctx, const struct lines *l, heddle_type type,
                     const void *results, bool skip, enum errors_call call);

/* Warns of rows whose variances have no degree of freedom. */
bool errors_of_few(void);

/* Results of segments, one each. */
struct errors_segments {
  const struct array *a;   /* one line */
  const heddle_rows *rows; /* its offsets */
  heddle_type type;
  const void *results;
  bool skip;        /* NaN do not count */
  bool has_initial; /* a first number, which Python's code looks at */
};
/* HEDDLE_OK; HEDDLE_BAD_ARGUMENT: it is for Python's code; HEDDLE_CALLBACK: an exception is set. */
heddle_status errors_of_segments(heddle_context *ctx, const struct errors_segments *s,
                                 enum errors_call call);

#endif
