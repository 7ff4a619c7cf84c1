/* bins.h - histograms of a few floats, by plain loops
 *
 * Result   the counts of heddle_histogram; bins_extent: false, where an element is not finite */
#ifndef HEDDLE_PYTHON_HISTOGRAM_BINS_H
#define HEDDLE_PYTHON_HISTOGRAM_BINS_H

#include "edges.h"

/* Whether the loops are faster than setting up the library's histogram. */
bool bins_are_few(const struct array *x);
bool bins_extent(const struct array *x, double *lo, double *hi);
void bins_count(const struct array *x, const struct edges *e, int64_t *counts);

#endif
