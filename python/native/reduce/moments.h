/* moments.h - means and variances of rows: what their files share
 *
 * Result    of each row one of `type`, as many as there are rows. HEDDLE_BAD_ARGUMENT: one is not defined,
 *           or not finite, of which Python's code says what it is
 * Order     v1, as the library's own figures: elements that a mask keeps back stay in their places */
#ifndef HEDDLE_PYTHON_MOMENTS_H
#define HEDDLE_PYTHON_MOMENTS_H

#include "call.h"
#include "lines.h"

/* Whether there are rows of which all figures take longer than to count their elements apart. */
static inline bool moments_are_short(const struct lines *l) {
  return l->results > 1 && l->length <= 64;
}

/* Of lines with a mask, or of short rows. skip: NaN do not count. */
heddle_status moments_masked_means(heddle_context *ctx, const struct lines *l, bool skip,
                                   heddle_type type, void *out);
/* *few becomes true where a row has too few elements, and all other results are finite. */
heddle_status moments_masked_variances(heddle_context *ctx, const struct lines *l, double ddof,
                                       bool root, bool skip, heddle_type type, void *out,
                                       bool *few);
/* Of what the library says of rows whose NaN were skipped, their variances, or roots of them. */
heddle_status moments_variances(const heddle_description *d, size_t count, double ddof, bool root,
                                heddle_type type, void *out);
/* To be freed. */
heddle_description *moments_descriptions(size_t count);

#endif
