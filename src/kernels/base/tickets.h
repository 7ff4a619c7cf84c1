/* tickets.h - tickets of a launch, drawn in order, and the tag by which its words in memory are known
 *
 * Result   ticket_next     the next ticket, and above it the epoch; ticket_tag: the tag of its words
 *          ticket_end      the last of all drawings leaves the next launch its epoch
 *          warp_tag_wrap   the last epoch there is leaves words cleared
 * Memory   two words of 64 bits, {epoch << 32 | next ticket, drawers that are done}, and tagged words: their tag in
 *          the upper half. Zero once, then left for the next launch, by whatever kernel
 * Method   A word is valid once its tag is the launch's; there is nothing to clear. Every drawer draws until it gets
 *          one ticket that is none. */
#ifndef HEDDLE_KERNELS_BASE_TICKETS_H
#define HEDDLE_KERNELS_BASE_TICKETS_H

#include "device.h"

#define HD_LAST_TAG 0xffffffffu

/* By one thread. */
HD_DEVICE u64 ticket_next(u64 *ticket) { return atomicAdd(ticket, 1ull); }
HD_DEVICE u32 ticket_tag(u64 drawn) { return (u32)(drawn >> 32) + 1; }

/* By the thread that drew ticket `drawn`, which is beyond the last of `tickets`. */
HD_DEVICE void ticket_end(u64 *ticket, u32 drawn, u32 tickets, u32 drawers, u32 tag) {
  if (drawn - tickets == drawers - 1 && tag != HD_LAST_TAG) publish64(ticket, (u64)tag << 32);
}

/* After the last tag there is, old words would look new: the last drawer to end clears them all.
 * By one warp a drawer, once the drawer is done. */
HD_DEVICE void warp_tag_wrap(u64 *ticket, u64 *words, u64 count, u32 drawers, u32 tag) {
  const u32 lane = threadIdx.x % 32;
  u32 last = 0;
  if (tag != HD_LAST_TAG) return;
  __threadfence(); /* this drawer's words are written before it counts as done */
  if (lane == 0) last = atomicAdd(ticket + 1, 1ull) == (u64)drawers - 1;
  last = __shfl_sync(HD_ALL, last, 0);
  if (!last) return;
  __threadfence(); /* and all are done before this one clears */
#pragma unroll 1
  for (u64 i = lane; i < count; i += 32) publish64(words + i, 0);
  if (lane < 2) publish64(ticket + lane, 0);
}

#endif
