/* bools.h - bools, whose bytes may be others than 0 and 1
 *
 * Result   NumPy takes every byte but 0 for True, and views make such arrays; to the library they
 *          are numbers. bools_count: how many are True. bools_are_numbers: HEDDLE_OK, or
 *          HEDDLE_BAD_ARGUMENT without a message if a byte is neither 0 nor 1
 * Errors   the library's */
#ifndef HEDDLE_PYTHON_BOOLS_H
#define HEDDLE_PYTHON_BOOLS_H

#include "heddle.h"

heddle_status bools_are_numbers(heddle_context *ctx, const void *data, size_t count);
heddle_status bools_count(heddle_context *ctx, const void *data, size_t count, uint64_t *result);

#endif
