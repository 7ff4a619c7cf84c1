/* bools.h - bools, whose bytes may be others than 0 and 1
 *
 * Result   NumPy takes every byte but 0 for True, and views make such arrays; to the library they
 *          are numbers. bools_count: how many are True. bools_are_numbers: HEDDLE_OK, or
 *          HEDDLE_BAD_ARGUMENT without a message if a byte is neither 0 nor 1
 * Errors   the library's */
#ifndef HEDDLE_PYTHON_BOOLS_H
#define HEDDLE_PYTHON_BOOLS_H

#include "lines.h"

/* out[r] = the place of the first True in row r, of ARGMIN of the first False; 0 if there is none. *found_all is
 * false, and out is undefined, where the library finds them sooner: a long row has none among its first. */
heddle_status bools_places(const struct lines *l, heddle_extreme which, uint64_t *out,
                           bool *found_all);
/* Whether lines that are ready are rows of bools, and not so large that the library's threads find it sooner. */
bool bools_have_places(heddle_context *ctx, const struct lines *l);
heddle_status bools_are_numbers(heddle_context *ctx, const void *data, size_t count);
/* The same of lines that have gaps between their elements. */
heddle_status bools_apart_are_numbers(heddle_context *ctx, const struct lines *l);
heddle_status bools_count(heddle_context *ctx, const void *data, size_t count, uint64_t *result);

#endif
