/* reference_exact.h - exact sums by a way of their own: digits of 16 bits, rounded bit by bit
 *
 * Result    ref_exact_* as docs/order.md, rule 15, has them
 * Method    every significand is cut into digits that are added one by one; a result is found from the sum's
 *           bits, written out, by ldexp */
#ifndef TESTS_REFERENCE_EXACT_H
#define TESTS_REFERENCE_EXACT_H

#include "heddle.h"

enum { REF_EXACT_DIGITS = 300, REF_EXACT_UNIT = 2304 }; /* the lowest bit is 2^-2304 */

typedef struct ref_exact {
  int64_t digit[REF_EXACT_DIGITS]; /* of 16 bits */
  int nan, plus, minus;
} ref_exact;

/* What is summed: elements, their squares, or products; floats only. */
void ref_exact_sum(int products, heddle_type type, const void *x, const void *y, size_t n, int skip,
                   ref_exact *sum);
void ref_exact_add(ref_exact *sum, double x);
/* The sum over a divisor, 0: none, rounded once to a float type, at `out`. */
void ref_exact_round(const ref_exact *sum, uint64_t divisor, heddle_type type, void *out);

enum exact_what { EXACT_SUM, EXACT_SQUARES, EXACT_DOT, EXACT_WHATS };
extern const char *const exact_names[];
heddle_options exact_options(heddle_nan nan, heddle_type out);
heddle_op exact_op(enum exact_what what); /* of a sum or a sum of squares */
/* *out = what the call gives for these options, of which out_type is set. */
void exact_expect(enum exact_what what, heddle_type type, const void *x, const void *y, size_t n,
                  const heddle_options *options, void *out);

#endif
