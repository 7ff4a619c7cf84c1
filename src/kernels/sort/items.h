/* items.h - elements on their way through a network of comparisons, in a thread's registers
 *
 * Result   item_make   of a key and the number of its element among the row's
 *          items_sort  so many of them in order
 * Defines  key.h's; HEDDLE_ITEMS; HEDDLE_VALUE_BYTES; HEDDLE_PART 1: keys are some of the bits
 * Order    stable, as numbers are the lowest bits; where elements alike are the same bits, they have none
 * Source   Batcher 1968 (odd-even merge) */
#ifndef HEDDLE_KERNELS_SORT_ITEMS_H
#define HEDDLE_KERNELS_SORT_ITEMS_H

#include "key.h"

/* Numbers of elements go with keys. */
#define NUMBERED (HEDDLE_VALUE_BYTES || HEDDLE_ORDER == 2 || HEDDLE_PART)

/* The number of an item that no element has: it comes last. */
#define ITEM_NONE 0xffffu

#if !NUMBERED
typedef sort_key sort_item;
HD_DEVICE sort_item item_make(sort_key key, u32 number) {
  (void)number;
  return key;
}
#elif HEDDLE_KEY_BYTES == 8
struct sort_item {
  u64 key;
  u32 number;
};
typedef struct sort_item sort_item;
HD_DEVICE sort_item item_make(sort_key key, u32 number) {
  const sort_item item = {key, number};
  return item;
}
HD_DEVICE u32 item_number(sort_item item) { return item.number; }
#elif HEDDLE_KEY_BYTES == 4
typedef u64 sort_item;
HD_DEVICE sort_item item_make(sort_key key, u32 number) { return (u64)key << 32 | number; }
HD_DEVICE u32 item_number(sort_item item) { return (u32)item; }
#else
typedef u32 sort_item;
HD_DEVICE sort_item item_make(sort_key key, u32 number) { return key << 16 | number; }
HD_DEVICE u32 item_number(sort_item item) { return item & 0xffffu; }
#endif

/* The bits that keys are sorted by. */
HD_DEVICE sort_key item_part(u32 bit_begin, u32 bit_end) {
#if HEDDLE_PART
  const sort_key above = bit_end < 8 * sizeof(sort_key) ? (sort_key)~0 << bit_end : 0;
  return (sort_key)~0 << bit_begin & ~above;
#else
  (void)bit_begin, (void)bit_end;
  return (sort_key)~0;
#endif
}

HD_DEVICE bool item_is_before(sort_item a, sort_item b) {
#if NUMBERED && HEDDLE_KEY_BYTES == 8
  return a.key < b.key || (a.key == b.key && a.number < b.number);
#else
  return a < b;
#endif
}

HD_DEVICE void items_order(sort_item *a, sort_item *b) {
  const bool turn = item_is_before(*b, *a);
  const sort_item first = turn ? *b : *a;
  *b = turn ? *a : *b;
  *a = first;
}

/* Merges of runs of 1, 2, 4 and so on; count and what is compared are known to the compiler. */
HD_DEVICE void items_sort(sort_item *item, u32 count) {
#pragma unroll
  for (u32 run = 1; run < count; run *= 2)
#pragma unroll
    for (u32 apart = run; apart >= 1; apart /= 2)
#pragma unroll
      for (u32 i = 0; i + apart < count; i++)
        if (i >= apart % run && (i - apart % run) / apart % 2 == 0 &&
            i / (2 * run) == (i + apart) / (2 * run))
          items_order(item + i, item + i + apart);
}

#endif
