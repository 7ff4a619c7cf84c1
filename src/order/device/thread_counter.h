/* thread_counter.h - totals of aligned blocks in index order, kept by one thread (rules 3 and 4)
 *
 * Result   thread_counter_push(c, t, levels)    takes the next item's total
 *          thread_counter_fold(c, acc, levels)  acc op the blocks that tile all items, biggest
 *          first
 * Defines  as total.h; COUNTER_LEVELS: slots, where order matters; COUNTER_ALL 1: in any case
 * Method   Slot k holds the block of 2^k items that bit k of the count stands for. No loop ends
 *          early and `levels` is a constant, so that slots stay in registers. Totals for which any
 *          order gives the same bits have one slot.
 * Who      any thread, on its own
 * Limits   fewer than 2^levels items
 * Source   docs/order.md; src/order/blocks_tmpl.h is the same in C */
#ifndef HEDDLE_ORDER_DEVICE_THREAD_COUNTER_H
#define HEDDLE_ORDER_DEVICE_THREAD_COUNTER_H

#include "total.h"

#ifndef COUNTER_ALL
#define COUNTER_ALL 0
#endif
#define COUNTER_IS_ONE (TOTAL_IS_ORDER_FREE && !COUNTER_ALL)

struct thread_counter {
  total slot[COUNTER_IS_ONE ? 1 : COUNTER_LEVELS];
  u32 count;
};

HD_DEVICE void thread_counter_push(struct thread_counter *c, total t, u32 levels) {
  const u32 n = c->count++;
#if COUNTER_IS_ONE
  (void)levels;
  c->slot[0] = n ? total_op(c->slot[0], t) : t;
#else
  bool carries = true;
#pragma unroll
  for (u32 k = 0; k < levels; k++) {
    const bool full = (n >> k & 1u) != 0;
    if (carries && !full) c->slot[k] = t;
    if (carries && full) t = total_op(c->slot[k], t);
    carries = carries && full;
  }
#endif
}

HD_DEVICE total thread_counter_fold(const struct thread_counter *c, total acc, u32 levels) {
#if COUNTER_IS_ONE
  (void)levels;
  return c->count ? total_op(acc, c->slot[0]) : acc;
#else
#pragma unroll
  for (u32 k = levels; k-- > 0;)
    if (c->count >> k & 1u) acc = total_op(acc, c->slot[k]);
  return acc;
#endif
}

#endif
