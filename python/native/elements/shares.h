/* shares.h - the argument `q` of quantiles: a number, a list of them, or a line of f64
 *
 * Result   shares_read: false, without an exception, for any other object, and for shares outside of 0 to
 *          `most`: those are for Python's code */
#ifndef HEDDLE_PYTHON_SHARES_H
#define HEDDLE_PYTHON_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "python_abi.h"

enum { SHARES_MOST = 64 };

struct shares {
  double q[SHARES_MOST]; /* of 1 */
  size_t count;
  bool is_number; /* a number of Python's, which has no part in a result's type */
};

bool shares_read(struct shares *s, python_object *q, int most);

#endif
