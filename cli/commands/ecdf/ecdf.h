/* ecdf.h - an empirical distribution function as steps, and a file's */
#ifndef HEDDLE_CLI_COMMANDS_ECDF_ECDF_H
#define HEDDLE_CLI_COMMANDS_ECDF_ECDF_H

#include <stddef.h>
#include <stdint.h>

/* values rise, no two of them are equal; ranks[i] elements, and no fewer, are at or below values[i]: exactly as many
 * where every element was looked for. */
struct steps {
  double *values;
  uint64_t *ranks;
  size_t count;
  uint64_t elements, nan; /* of the file; those that are NaN are in no step */
};

static inline double steps_share(const struct steps *s, size_t i) {
  return (double)s->ranks[i] / (double)(s->elements - s->nan);
}

#endif
