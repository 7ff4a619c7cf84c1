/* interval.h - the elements of an array that a comparison with a number selects, as an interval
 *
 * Elements are those of the widest type of their kind: i64, u64 or f64 (text/types.h). */
#ifndef HEDDLE_CLI_EXPRESSION_INTERVAL_H
#define HEDDLE_CLI_EXPRESSION_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "value.h"

/* Elements of `type` from `least` to `most`, both among them, or with `outside` all others, NaN too.
 * An interval without elements has least > most. */
struct interval {
  heddle_type type;
  bool outside;
  union {
    int64_t i;
    uint64_t u;
    double f;
  } least, most;
};

/* The elements x with `x comparison value`, exactly; the value is a number. */
struct interval interval_of(heddle_comparison comparison, const struct value *value,
                            heddle_type type);
/* mask[k] = 1 where elements[k] is among them, else 0. */
void interval_mask(const struct interval *interval, const void *elements, size_t count,
                   uint8_t *mask);

#endif
