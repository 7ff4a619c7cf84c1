/* scan.h - running totals of a column with nulls, which stay where they are
 *
 * Result   a tuple of two arrays as long as the column: totals, 0 where an element is null, and bools that are
 *          true where it is not; or `declined`, or NULL with an exception set. The lines end */
#ifndef HEDDLE_PYTHON_COLUMNS_SCAN_H
#define HEDDLE_PYTHON_COLUMNS_SCAN_H

#include "lines.h"
#include "python_abi.h"

/* options: the totals' type, and whether NaN count. */
python_object *column_scan(struct lines *l, heddle_context *ctx, heddle_op op,
                           const heddle_options *options);

#endif
