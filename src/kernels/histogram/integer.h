/* integer.h - from an integer to its slot, for HEDDLE_BINS_INTEGER
 *
 * Result   find_ranks, settle_rank  as in find.h
 *          integer_slot             the slot of an element, with any HEDDLE_STRATEGY
 * Defines  HEDDLE_TYPE: an integer
 * Method   Elements least to most have bins of their own, least in bin `skip`. The distance from
 *          least tells whether an element is one of them; where one of several is not, all of these
 *          are compared with both ends.
 * Limits   where no value of the type has a bin, least = most is the end of the type that all other
 *          values lie beyond, and skip is the slot that they have */
#ifndef HEDDLE_KERNELS_HISTOGRAM_INTEGER_H
#define HEDDLE_KERNELS_HISTOGRAM_INTEGER_H

#include "order/device/element.h"

#include "args.h"

HD_DEVICE u32 integer_slot(const struct hist_slots *p, element x) {
  u32 bin = (u32)x - (u32)p->least + p->skip;
  u32 from = x < (element)p->least ? p->bins : bin;
  return x > (element)p->most ? p->bins + 1 : from;
}

#if HEDDLE_STRATEGY == HD_STRATEGY_INTEGER
typedef element key;
HD_DEVICE key to_key(element x) { return x; }

/* As wide as the type, at least 32 bits: the difference of two elements, which may wrap. */
#if ELEMENT_BYTES == 8
typedef u64 distance;
#else
typedef u32 distance;
#endif

HD_DEVICE u32 settle_rank(const struct hist_slots *p, key x) { return integer_slot(p, x); }

/* The slots of `count` elements side by side; a constant. */
HD_DEVICE void find_ranks(const struct hist_slots *p, const u32 *buckets, const key *x, u32 *slot,
                          int count) {
  const distance least = (distance)p->least, reach = (distance)p->most - least;
  bool outside = p->skip >= p->bins; /* no value has a bin */
  (void)buckets;
#pragma unroll
  for (int j = 0; j < count; j++) {
#if ELEMENT_BYTES == 2 /* skip is 0, or nothing is below least: slots do not wrap */
    slot[j] = (u32)x[j] - ((u32)least - p->skip);
    outside = outside || slot[j] > (u32)reach + p->skip;
#else
    distance from_least = (distance)x[j] - least;
    slot[j] = (u32)from_least + p->skip;
    outside = outside || from_least > reach;
#endif
  }
  if (!outside) return;
#pragma unroll
  for (int j = 0; j < count; j++) slot[j] = settle_rank(p, x[j]);
}

#endif

#endif
