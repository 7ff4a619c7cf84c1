/* warp_counter.h - totals of aligned blocks in index order, kept by a warp (rules 3 and 4)
 *
 * Result   warp_counter_push(c, t)    takes the next item's total
 *          warp_counter_fold(c, acc)  acc op the blocks that tile all items, biggest first
 * Defines  as total.h
 * Method   Lane k keeps the total of the aligned block of 2^k items that bit k of the count stands
 *          for: a slot chosen at run time is a shuffle, not an array in memory.
 * Who      all lanes of the warp arrive, with equal arguments; all lanes hold results
 * Limits   fewer than 2^32 items
 * Source   docs/order.md; src/order/blocks_tmpl.h is the same in C */
#ifndef HEDDLE_ORDER_DEVICE_WARP_COUNTER_H
#define HEDDLE_ORDER_DEVICE_WARP_COUNTER_H

#include "warp.h"

struct warp_counter {
  total slot; /* undefined where the bit of the lane's number is clear in count */
  u64 count;
};

HD_DEVICE void warp_counter_push(struct warp_counter *c, total t) {
  u32 level = 0;
  for (u64 n = c->count++; n & 1; n >>= 1) t = total_op(warp_from(c->slot, level++), t);
  if (warp_lane() == level) c->slot = t;
}

HD_DEVICE total warp_counter_fold(const struct warp_counter *c, total acc) {
  for (u64 left = c->count; left;) {
    const u32 level = hd_top_bit(left);
    acc = total_op(acc, warp_from(c->slot, level));
    left -= 1ull << level;
  }
  return acc;
}

#endif
