/* truth.h - bools, whose bytes may be others than 0 and 1
 *
 * Result   NumPy takes every byte but 0 for True, and views make such arrays; to the library they are
 *          numbers. truth_count: how many are True. truth_numbers: HEDDLE_BAD_ARGUMENT, without a message,
 *          unless all bytes are 0 and 1
 * Method   Plain loops that compilers make vectors of, as fast as a processor reads memory. Of large
 *          arrays, where the context has many threads, the library's maximum instead, and its sum
 * Errors   the library's */
#ifndef HEDDLE_PYTHON_TRUTH_H
#define HEDDLE_PYTHON_TRUTH_H

#include "heddle.h"

heddle_status truth_numbers(heddle_context *ctx, const void *data, size_t count);
heddle_status truth_count(heddle_context *ctx, const void *data, size_t count, uint64_t *result);

#endif
