/* sums.h - sums of weights, which the library gives in f64, in the type of the weights */
#ifndef HEDDLE_PYTHON_HISTOGRAM_SUMS_H
#define HEDDLE_PYTHON_HISTOGRAM_SUMS_H

#include "array.h"

enum { SUMS_FEW = 1024 };

/* Few integers of 64 bits that f64 holds are written to `few`, which the library reads faster; other weights
 * are where they were. */
struct sums_weights {
  const void *data;
  heddle_type type;
};
struct sums_weights sums_weights(const struct array *weights, double few[SUMS_FEW]);
/* Whether f64 holds every sum of so many weights that are integers; true for floats. */
bool sums_are_exact(const struct array *weights);
/* Sums of such weights, which are overwritten, to those of a type; integers wrap. False: a sum is beyond a
 * float type, of which NumPy warns. */
bool sums_convert(double *sums, size_t count, heddle_type type, void *out);

#endif
