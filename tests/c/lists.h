/* lists.h - every element type, operator and option that the tests walk
 *
 * Result    arrays and their counts; types and operators are the rows of the library's tables, so
 *           that a new row is walked without an edit here
 * Limits    lists say what there is, and not what it means: classes of operators and kinds of types
 *           are the reference's own (reference.h) */
#ifndef TESTS_LISTS_H
#define TESTS_LISTS_H

#include <stddef.h>

#include "heddle.h"

extern const heddle_type all_types[], float_types[]; /* without custom ones */
extern const size_t type_count, float_type_count;
extern const heddle_op all_ops[]; /* without custom ones */
extern const size_t op_count;
const char *op_name(heddle_op op);
/* The number after the greatest operator's, or type's, custom ones among them. */
int beyond_ops(void);
int beyond_types(void);

extern const heddle_nan nan_policies[2];
extern const heddle_scan_kind scan_kinds[2];
extern const heddle_extreme extremes[2];
extern const heddle_figures every_figures[3];
extern const heddle_binning binnings[4];

#endif
