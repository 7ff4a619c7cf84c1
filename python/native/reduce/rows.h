/* rows.h - reductions of an array's lines, each by the call of the library that fits how they lie
 *
 * Result    rows_reduce: one a row into `out`, of options->out_type; after lines_ready. rows_masked: the
 *           same where a mask lets some elements through and `fill`, one of the array's type, stands for
 *           the others
 * Errors    the library's */
#ifndef HEDDLE_PYTHON_ROWS_H
#define HEDDLE_PYTHON_ROWS_H

#include "call.h"
#include "lines.h"

heddle_status rows_reduce(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                          const heddle_options *options);
heddle_status rows_masked(heddle_context *ctx, heddle_op op, const struct lines *l,
                          const union number *fill, void *out, const heddle_options *options);

#endif
