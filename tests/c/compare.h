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

/* What a call asks a device to have kernels for: "scan_rows", operator, type, options. */
uint64_t compare_job(const char *verb, int op, heddle_type type, const heddle_options *options);

/* The next machine fit for an input of `bytes` from *at on, beginning with 0; NULL at the end. A
 * device made of software takes some of the jobs, and of their calls some, each on one of its
 * machines. The rule is fixed: of the jobs with default options it takes those whose type and
 * operator add up to a multiple of four (exclusive scans: of eight), sums of f32 and f64, and one
 * job in JOBS of the rest, so that every type and every operator of a verb is there; of a job the
 * calls number 1, 2, 3, 5, 8, 13, ... and one in CALLS of the others.
 * HEDDLE_TEST_SAMPLE=JOBS,CALLS is another choice (256,61); 1,1 takes all. */
const machine *compare_next(size_t *at, size_t bytes, uint64_t job);
/* The same rule for a caller that goes over compare_on itself: 1 if machine i takes this job. */
int compare_takes(size_t i, uint64_t job);
int compare_is_device(const machine *m);

/* Lengths around every boundary: vector, row, chunk, blocks of chunks. Ends with SIZE_MAX. */
extern const size_t compare_lengths[];

#endif
