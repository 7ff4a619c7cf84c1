/* reference_histogram.h - histograms by binary search and 128-bit sums
 *
 * Result    ref_histogram: counts, sums and totals as heddle_histogram must give them
 * Method    the greatest i with edges[i] <= x, in the edges that heddle_histogram_edges gives;
 *           weights as integers in units of 2^(E-86) (rule 14), rounded once at the end
 * Limits    weights' exponent must hold every finite weight */
#ifndef TESTS_REFERENCE_HISTOGRAM_H
#define TESTS_REFERENCE_HISTOGRAM_H

#include "reference.h"

typedef struct ref_weights {
  const void *weights;
  heddle_type type;
  int exponent; /* or HEDDLE_FIND_EXPONENT */
} ref_weights;

/* counts and sums: channels tables of bins->count; sums may be NULL */
void ref_histogram(heddle_type type, const void *in, size_t count, const heddle_bins *bins,
                   size_t channels, const ref_weights *weights, uint64_t *counts, double *sums,
                   heddle_histogram_result *results);
/* lo and hi of bins as auto_range finds them. */
void ref_find_range(heddle_type type, const void *in, size_t count, heddle_bins *bins);
int ref_find_exponent(heddle_type type, const void *weights, size_t count);

#endif
