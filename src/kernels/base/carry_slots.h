/* carry_slots.h - from many totals in a row to the aligned blocks that tile them (rules 3 to 5)
 *
 * Result   slot[k] = the total of the block of 2^k items that ends at item to >> k << k, for every
 *          bit k that is set in `to`: what a prefix is folded from, biggest first. The items may be
 *          chunks, groups of chunks or elements.
 * Method   Items are numbered from the array's start. Those before `from` are known only as the
 *          slots of an earlier call, one a bit of `from`: such a slot is put in where its block
 *          belongs, and the tree above goes on as if its items had been here. 32 items at an
 *          aligned place make one item of five levels above (a warp's tree); the caller goes up
 *          five levels at a time until `to` has no item there.
 * Defines  as order/device/total.h
 * Limits   from <= to < 2^63
 * Source   Blelloch 1990 (up-sweep); docs/order.md */
#ifndef HEDDLE_KERNELS_BASE_CARRY_SLOTS_H
#define HEDDLE_KERNELS_BASE_CARRY_SLOTS_H

#include "order/device/warp.h"

#define CARRY_SLOTS 48 /* 2^48 chunks are more than an address space */

struct carry_slots {
  u64 from, to;         /* items, at level 0 */
  const total *slot_in; /* of `from`; unread if from is 0 */
  total *slot_out;      /* of `to` */
};

/* One warp: lane l holds item base + l of `level`, base a multiple of 32. Writes the slots that
 * are found here; all lanes get the total of the 32, if there is a level above for it. Items that
 * are not there may be anything. */
HD_DEVICE total warp_carry_slots(const struct carry_slots *s, total t, u64 base, int level) {
  const u32 lane = warp_lane();
  const u64 above = base >> 5;
  const u32 in = above == s->from >> level >> 5 ? (u32)(s->from >> level) & 31u : 0u;
  const u32 out = above == s->to >> level >> 5 ? (u32)(s->to >> level) & 31u : 0u;
  const u32 need = s->to >> level >> 5 ? 31u : out;
#pragma unroll WARP_UNROLL
  for (int k = 0; k < 5; k++) {
    if (need >> k == 0) break;
    if (in >> k & 1u && lane >> k == (in >> k) - 1u) t = s->slot_in[level + k];
    if (out >> k & 1u && lane == ((out >> k) - 1u) << k) s->slot_out[level + k] = t;
    t = warp_pairs(t, k);
  }
  return t;
}

#endif
