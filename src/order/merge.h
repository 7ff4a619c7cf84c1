/* merge.h - two totals as one, on the host, by what they are totals of
 *
 * For totals of any back end, in the form of order/total.h; of a custom operator's, which its owner
 * merges, nothing is asked here. A back end that folds on the host has its own for each type, with the
 * same bits. */
#ifndef HEDDLE_ORDER_MERGE_H
#define HEDDLE_ORDER_MERGE_H

#include "result.h"

/* *left = *left op *right, left being what comes first in the array. NaN has any payload. */
void hd_total_merge(const struct hd_total_form *form, void *left, const void *right);

#endif
