/* edges.h - the bins of a histogram, by the arguments of hd.histogram
 *
 * Result   edges_given, edges_even: false for bins that Python's code makes, or refuses; no exception is
 *          set. They have the bits that it gives them
 * Owner    `at` is memory of the caller's, for `most` + 1 edges
 * Limits   up to `most` bins */
#ifndef HEDDLE_PYTHON_HISTOGRAM_EDGES_H
#define HEDDLE_PYTHON_HISTOGRAM_EDGES_H

#include "array.h"

enum { HEDDLE_PY_BINS = 4 * 1024 };

struct edges {
  heddle_bins bins;
  heddle_type type; /* of the array of edges that the caller gets */
  bool are_given;
  size_t most;
  double *at; /* unknown before edges_found, where bins.auto_range is set */
};

/* The edges that an array holds. */
bool edges_given(struct edges *e, python_object *bins);
/* `count` bins of one width for elements of a type, over a tuple of two numbers, or None: over what the
 * elements span. */
bool edges_even(struct edges *e, const struct array *x, python_object *count, python_object *range);
/* The same, but for the edges themselves, which edges_found has. */
bool edges_range(struct edges *e, const struct array *x, python_object *count,
                 python_object *range);
/* The edges over such a range, or what the elements span. */
bool edges_found(struct edges *e, heddle_type elements, double lo, double hi);

#endif
