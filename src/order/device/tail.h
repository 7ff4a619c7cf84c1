/* tail.h - the short chunk by one block, and a prefix out of slots (order v1, rules 4 and 5)
 *
 * Result   block_tail_runs(x, y, n, tail)  of the n elements at x, fewer than a chunk, the totals of
 *                                runs and of warps of runs; complete after the block's next barrier
 *          warp_tail_slots(n, tail)  tail->slot[k] = the total of the aligned block of 2^k elements
 *                                for every bit k of n: these tile the tail, biggest first
 *          thread_run(..)        one run: TAIL_RUN neighbours by one thread
 *          thread_slots(acc, slot, n)  acc op the slots of n, biggest first
 * Defines  as chunk.h; HEDDLE_WARPS a block, 4 or 8
 * Method   Threads, warps and the block are three parts of one tree over neighbours. Its levels below
 *          TAIL_RUN_LEVELS end in the one run that the tail ends in, which leaves their slots; the
 *          next five in the runs of one warp, the others in the warps. What lies behind the tail
 *          is the identity, and in no block that has a slot.
 * Limits   float sums, products and dots; thread_slots: all totals
 * Source   docs/order.md */
#ifndef HEDDLE_ORDER_DEVICE_TAIL_H
#define HEDDLE_ORDER_DEVICE_TAIL_H

#include "warp.h"

#if TOTAL_IS_NUMBER && !TOTAL_IS_ORDER_FREE

#define TAIL_RUN (TOTAL_CHUNK / (32 * HEDDLE_WARPS))
#define TAIL_RUN_LEVELS (TAIL_RUN == 16 ? 4 : TAIL_RUN == 8 ? 3 : 2)
#define TAIL_SLOTS 16

/* Shared memory of a block. */
struct tail {
  total warp[HEDDLE_WARPS]; /* the totals of a warp's runs */
  total run[32];            /* of the warp that the tail ends in */
  total slot[TAIL_SLOTS];
};

/* Run `index` of the n elements at x. The one run that ends within leaves slots. */
HD_DEVICE total thread_run(const element *x, const element *y, u32 n, u32 index, total *slot) {
  const u32 left = n - index * TAIL_RUN;
  x += index * TAIL_RUN, y += index * TAIL_RUN;
  total t[TAIL_RUN];
#pragma unroll
  for (u32 i = 0; i < TAIL_RUN; i++) t[i] = i < left ? element_total(x, y, i) : total_identity();
#pragma unroll
  for (u32 k = 0; k < TAIL_RUN_LEVELS; k++)
#pragma unroll
    for (u32 i = 0; i < TAIL_RUN >> k; i += 2) {
      if (left < TAIL_RUN && left >> k == i + 1) slot[k] = t[i];
      t[i / 2] = total_op(t[i], t[i + 1]);
    }
  return t[0];
}

HD_DEVICE void block_tail_runs(const element *x, const element *y, u32 n, struct tail *tail) {
  const u32 me = threadIdx.x, warp = me / 32;
  total t = total_identity();
  if (me * TAIL_RUN < n) t = thread_run(x, y, n, me, tail->slot);
  if (warp == n >> (TAIL_RUN_LEVELS + 5)) tail->run[warp_lane()] = t;
  t = warp_tree(t, 5);
  if (warp_lane() == 0) tail->warp[warp] = t;
}

HD_DEVICE void warp_tail_slots(u32 n, struct tail *tail) {
  const u32 lane = warp_lane();
#pragma unroll 1
  for (u32 part = 0; part < 2; part++) { /* runs, then warps of runs */
    const u32 level = TAIL_RUN_LEVELS + 5 * part, items = n >> level & 31u;
    if (!items) continue;
    total t = total_identity();
    if (lane < items) t = part ? tail->warp[lane] : tail->run[lane];
#pragma unroll
    for (u32 k = 0; k < 5; k++) {
      if (!(items >> k)) break;
      if (items >> k & 1u && lane == ((items >> k) - 1u) << k) tail->slot[level + k] = t;
      t = warp_pairs(t, (int)k);
    }
  }
  __syncwarp(); /* the slots are complete */
}

#endif

HD_DEVICE total thread_slots(total acc, const total *slot, u64 n) {
#pragma unroll 1
  while (n) {
    const int k = 63 - __clzll((i64)n);
    acc = total_op(acc, slot[k]);
    n ^= 1ull << k;
  }
  return acc;
}

#endif
