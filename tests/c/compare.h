/* compare.h - one call on every machine, against the reference
 *
 * Result    each fails the test where status or bits differ from the reference's, where
 *           anything is written beside the result, or at all after a failure
 * Method    the reference runs once, then the call on every context. Inputs too short for
 *           threads go to the contexts of one thread only. */
#ifndef TESTS_COMPARE_H
#define TESTS_COMPARE_H

#include "support.h"

extern machines compare_on;      /* set up by compare_setup */
int compare_setup(void **state); /* group setup and teardown for cmocka */
int compare_teardown(void **state);

void compare_reduce(heddle_op op, heddle_type type, const void *in, size_t n,
                    const heddle_options *options);
void compare_scan(heddle_op op, heddle_scan_kind kind, heddle_type type, const void *in, size_t n,
                  const heddle_options *options);
void compare_dot(heddle_type type, const void *x, const void *y, size_t n,
                 const heddle_options *options);
void compare_argreduce(heddle_extreme which, heddle_type type, const void *in, size_t n,
                       const heddle_options *options);
void compare_describe(heddle_type type, const void *in, size_t n, const heddle_options *options);

/* The next machine fit for an input of `bytes` from *at on; NULL at the end. */
const machine *compare_next(size_t *at, size_t bytes);

/* Lengths around every boundary: vector, row, chunk, blocks of chunks. Ends with SIZE_MAX. */
extern const size_t compare_lengths[];

#endif
