/* lanes.h - one total of long columns that lie side by side, without a copy
 *
 * Result    that of heddle_reduce on the elements in C order, to the bit
 * Limits    sums and products of floats of 4 and 8 bytes, NaN among them; the processor rounds to the nearest
 *           and keeps denormals */
#ifndef HEDDLE_PYTHON_LANES_H
#define HEDDLE_PYTHON_LANES_H

#include "lines.h"

enum {
  LANES_BYTES = 512,     /* of the lanes of a chunk (docs/order.md, rule 2) */
  LANES_CHUNK_ROWS = 16, /* of lanes that a chunk has */
  LANES_STRIP = 128      /* columns that are folded together, at most */
};

/* Whether lanes are f64 of elements that are f32. */
bool lanes_are_wide(const struct lines *l, const heddle_options *options);
/* The axis whose elements are neighbours, in front of the last one; 0: if there is one, it is that. */
size_t lanes_axis(const struct lines *l);
/* Whether the lines, all of them one row, are totalled so. */
bool lanes_fit(const struct lines *l, heddle_op op, const heddle_options *options);
heddle_status lanes_reduce(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                           const heddle_options *options);

#endif
