/* find.h - from a point's element on an axis to its bin
 *
 * Result   axis_bins  the bins of a few elements; an axis' bins + 0, 1, 2: below, above, NaN
 * Defines  those of kernels/histogram/find.h, of which HEDDLE_STRATEGY is that of all axes, or
 *          HD_STRATEGY_MIXED: each has its own, known to the launch alone; tables of buckets are then read
 *          where they are, in global memory
 * Memory   HD_STRATEGY_BUCKETS: each axis' words of buckets in shared memory, from its a.table on
 * Limits   HD_STRATEGY_STEPS: as HD_STRATEGY_MIXED */
#ifndef HEDDLE_KERNELS_AXES_FIND_H
#define HEDDLE_KERNELS_AXES_FIND_H

#include "order/device/element.h"

#include "args.h"
#include "kernels/histogram/find.h"

#if HEDDLE_STRATEGY == HD_STRATEGY_MIXED
#if HD_TYPE_IS_INTEGER(HEDDLE_TYPE)
#include "kernels/histogram/integer.h"
#endif

HD_DEVICE void axis_bins(const struct axis_args *axis, const u32 *tables, const element *x,
                         u32 *bin, int count) {
  const struct hist_slots *p = &axis->find;
  (void)tables;
  if (axis->strategy == HD_STRATEGY_EVEN) {
#pragma unroll
    for (int j = 0; j < count; j++) bin[j] = even_slot(p, to_key(x[j]));
#if HD_TYPE_IS_INTEGER(HEDDLE_TYPE)
  } else if (axis->strategy == HD_STRATEGY_INTEGER) {
#pragma unroll
    for (int j = 0; j < count; j++) bin[j] = integer_slot(p, x[j]);
#endif
  } else {
#pragma unroll
    for (int j = 0; j < count; j++) bin[j] = slot_of(p, search_edges(p, to_key(x[j])));
  }
}
#else
HD_DEVICE void axis_bins(const struct axis_args *axis, const u32 *tables, const element *x,
                         u32 *bin, int count) {
  const struct hist_slots *p = &axis->find;
  key keys[16];
#pragma unroll
  for (int j = 0; j < count; j++) keys[j] = to_key(x[j]);
  find_ranks(p, tables + axis->table, keys, bin, count);
#pragma unroll
  for (int j = 0; j < count; j++) bin[j] = slot_of(p, rank_of(bin[j]));
}
#endif

/* From here on counters go by the slots of the grid. */
#undef HD_RANKED
#define HD_RANKED 0

#endif
