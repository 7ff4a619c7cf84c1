/* finish.h - figures out of descriptions, and whole numbers out of sums, on the device that made them
 *
 * Result   values of a type, each rounded once from f64; the calls are queued, nothing waits
 * Method   custom operators, whose left operand is what the call knows and whose right one what a kernel before it
 *          has left in device memory: one launch for all rows, and where their type is another one more,
 *          that rounds to it as a sum of one element
 * Limits   a GPU's contexts */
#ifndef HEDDLE_PYTHON_TENSORS_FINISH_H
#define HEDDLE_PYTHON_TENSORS_FINISH_H

#include <stdbool.h>

#include "heddle.h"

/* What becomes of a description: its sum divided by its count, or where that is not finite the mean of describe; the
 * mean of describe. */
enum finish_what { FINISH_QUOTIENT = 1, FINISH_MEAN };

/* How many doubles each result has at `work`: descriptions lie there in front, one behind the other; and where
 * the one result of a call is, in its own type, f32 or f64, if `out` is NULL. */
enum { FINISH_DESCRIPTION = 20, FINISH_DESCRIPTION_AT = 14 };

heddle_status finish_descriptions(heddle_context *ctx, double *work, size_t results,
                                  enum finish_what what, heddle_type type, void *out);
/* Values in f64, `step` of them apart, in a type. */
heddle_status finish_round(heddle_context *ctx, const double *in, size_t results, ptrdiff_t step,
                           heddle_type type, void *out);
/* Whole numbers in f64, up to 2^53, in a type of integers, in which they wrap. There is room for as many more behind
 * them. */
heddle_status finish_whole(heddle_context *ctx, double *work, size_t results, heddle_type type,
                           void *out);

#endif
