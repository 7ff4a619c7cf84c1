/* network.h - items that some threads of a block hold in their registers, in order
 *
 * Result   block_sort_items  the items of each `group` of threads, thread after thread
 * Defines  items.h's; HEDDLE_THREADS, a power of two; HEDDLE_ITEMS of a thread: a power of two, or three times one
 * Memory   `room` of room.h: all the block's items, if groups are more than a warp
 * Method   Each thread sorts its items; then runs of two threads are merged, of four, and so on. The first step of a
 *          merge compares the runs against each other's end, and makes of them two of which one is before the
 *          other and both rise and fall; steps between threads ever closer follow, and the last are in registers
 *          again. Threads of a warp shuffle, others meet in shared memory.
 * Source   Batcher 1968 (bitonic merge) */
#ifndef HEDDLE_KERNELS_SORT_NETWORK_H
#define HEDDLE_KERNELS_SORT_NETWORK_H

#include "items.h"
#include "room.h"

/* Where a thread's items lie for others: neighbours have neighbouring ones. */
#define ROOM_ITEM(i, thread) (((sort_item *)room)[(i)*HEDDLE_THREADS + (thread)])

/* ---- in a thread ------------------------------------------------------------------------------- */

#if HEDDLE_ITEMS % 3
#define ITEMS_LEAST 1
#else
#define ITEMS_LEAST 3
#endif

/* Items that rise and then fall, from whichever on, in order. */
HD_DEVICE void items_merge(sort_item *item) {
#pragma unroll
  for (u32 apart = HEDDLE_ITEMS / 2; apart >= ITEMS_LEAST; apart /= 2)
#pragma unroll
    for (u32 i = 0; i + apart < HEDDLE_ITEMS; i++)
      if (i / apart % 2 == 0) items_order(item + i, item + i + apart);
#if ITEMS_LEAST > 1
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i += ITEMS_LEAST) items_sort(item + i, ITEMS_LEAST);
#endif
}

/* ---- between threads --------------------------------------------------------------------------- */

HD_DEVICE sort_item item_pick(sort_item mine, sort_item other, bool low) {
  return item_is_before(other, mine) == low ? other : mine;
}

/* With the thread whose number differs in the bits of `mask`, against its items from the last on. All lanes arrive. */
HD_DEVICE void warp_meet(sort_item *item, u32 mask, bool low) {
#pragma unroll
  for (u32 i = 0; i < (HEDDLE_ITEMS + 1) / 2; i++) {
    const u32 j = HEDDLE_ITEMS - 1 - i;
    const sort_item other = __shfl_xor_sync(HD_ALL, item[j], (int)mask);
    if (j != i) item[j] = item_pick(item[j], __shfl_xor_sync(HD_ALL, item[i], (int)mask), low);
    item[i] = item_pick(item[i], other, low);
  }
}

HD_DEVICE void warp_part(sort_item *item, u32 mask, bool low) {
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    item[i] = item_pick(item[i], __shfl_xor_sync(HD_ALL, item[i], (int)mask), low);
}

/* The same between warps. All threads arrive, and are together again behind. */
HD_DEVICE void block_exchange(sort_item *item, u32 mask, bool low, bool meet) {
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    ROOM_ITEM(meet ? HEDDLE_ITEMS - 1 - i : i, threadIdx.x) = item[i];
  __syncthreads(); /* items are there */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    item[i] = item_pick(item[i], ROOM_ITEM(i, threadIdx.x ^ mask), low);
  __syncthreads(); /* all have read */
}

/* Runs of size / 2 threads become runs of `size`. All threads arrive. */
HD_DEVICE void block_merge(sort_item *item, u32 size) {
  const bool first = !(threadIdx.x & size / 2);
  if (size <= 32)
    warp_meet(item, size - 1, first);
  else
    block_exchange(item, size - 1, first, true);
#pragma unroll 1
  for (u32 apart = size / 4; apart >= 32; apart /= 2)
    block_exchange(item, apart, !(threadIdx.x & apart), false);
#pragma unroll 1
  for (u32 apart = min(size / 4, 16u); apart; apart /= 2)
    warp_part(item, apart, !(threadIdx.x & apart));
  items_merge(item);
}

/* All threads arrive. */
HD_DEVICE void block_sort_items(sort_item *item, u32 group) {
  items_sort(item, HEDDLE_ITEMS);
#pragma unroll 1
  for (u32 size = 2; size <= group; size *= 2) block_merge(item, size);
}

#endif
