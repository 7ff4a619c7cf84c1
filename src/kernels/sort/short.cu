/* short.cu - rows of at most 32 elements, each sorted in the registers of one thread
 *
 * Result   keys_out and values_out, element by element where keys has the rows
 * Defines  key.h's; HEDDLE_THREADS; HEDDLE_ITEMS: the power of two that has room for a row; HEDDLE_VALUE_BYTES 0
 *          to 16; HEDDLE_POSITIONS 1: values are positions in the row; HEDDLE_PART 1: keys are some of the bits
 * Launch   a block for HEDDLE_THREADS rows
 * Memory   dynamic shared memory: the block's keys or values, whichever are more, with an element more for every
 *          SHORT_LINE bytes; from a.numbers on a u16 for each element, where elements are numbered
 * Order    stable
 * Method   A block brings its rows to shared memory, neighbours by neighbours; a thread sorts its own by a network of
 *          comparisons, which is the same for all. Where elements alike are not the same bits, the element's
 *          number goes with its key as the lowest bits, by which keys and values are found in the end.
 * Source   Batcher 1968 (odd-even merge) */
#include "values.h"

/* Numbers of elements go with keys. */
#define NUMBERED (HEDDLE_VALUE_BYTES || HEDDLE_ORDER == 2 || HEDDLE_PART)

/* ---- items ----------------------------------------------------------------------------------- */

#if !NUMBERED
typedef sort_key short_item;
HD_DEVICE short_item item_make(sort_key key, u32 number) {
  (void)number;
  return key;
}
#elif HEDDLE_KEY_BYTES == 8
struct short_item {
  u64 key;
  u32 number;
};
typedef struct short_item short_item;
HD_DEVICE short_item item_make(sort_key key, u32 number) {
  const short_item item = {key, number};
  return item;
}
HD_DEVICE u32 item_number(short_item item) { return item.number; }
#elif HEDDLE_KEY_BYTES == 4
typedef u64 short_item;
HD_DEVICE short_item item_make(sort_key key, u32 number) { return (u64)key << 32 | number; }
HD_DEVICE u32 item_number(short_item item) { return (u32)item; }
#else
typedef u32 short_item;
HD_DEVICE short_item item_make(sort_key key, u32 number) { return key << 8 | number; }
HD_DEVICE u32 item_number(short_item item) { return item & 255u; }
#endif

HD_DEVICE bool item_is_before(short_item a, short_item b) {
#if NUMBERED && HEDDLE_KEY_BYTES == 8
  return a.key < b.key || (a.key == b.key && a.number < b.number);
#else
  return a < b;
#endif
}

HD_DEVICE void items_order(short_item *a, short_item *b) {
  const bool turn = item_is_before(*b, *a);
  const short_item first = turn ? *b : *a;
  *b = turn ? *a : *b;
  *a = first;
}

/* Merges of runs of 1, 2, 4 and so on; what is compared is known to the compiler. */
HD_DEVICE void items_sort(short_item *item) {
#pragma unroll
  for (u32 run = 1; run < HEDDLE_ITEMS; run *= 2)
#pragma unroll
    for (u32 apart = run; apart >= 1; apart /= 2)
#pragma unroll
      for (u32 i = 0; i + apart < HEDDLE_ITEMS; i++)
        if (i >= apart % run && (i - apart % run) / apart % 2 == 0 &&
            i / (2 * run) == (i + apart) / (2 * run))
          items_order(item + i, item + i + apart);
}

/* ---- a block's rows -------------------------------------------------------------------------- */

extern __shared__ uint4 room[];

/* Where the bytes of element `at` are: lines of 128 bytes are apart by an element, so that elements of
 * one place in rows next to each other are in other banks. */
HD_DEVICE u32 room_place(u32 at, u32 bytes) {
  return at * bytes + at * bytes / SHORT_LINE * (bytes < 4 ? 4u : bytes);
}
#define ROOM_AT(type, at) (*(type *)((u8 *)room + room_place(at, sizeof(type))))
#define ROOM_FROM(a) ((u16 *)((u8 *)room + (a)->numbers))

HD_DEVICE void block_load_keys(const key_bits *in, u32 count) {
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) ROOM_AT(key_bits, i) = in[i];
  __syncthreads(); /* keys are there */
}

/* The thread's row, which begins with element `first` of the block's: sorted keys where they were, or the
 * number of each place's element. */
HD_DEVICE void thread_sort_row(const struct sort_block_args *a, u32 first) {
  const u32 length = (u32)a->length;
  short_item item[HEDDLE_ITEMS];
#if HEDDLE_PART
  const sort_key above = a->bit_end < 8 * sizeof(sort_key) ? (sort_key)~0 << a->bit_end : 0;
  const sort_key part = (sort_key)~0 << a->bit_begin & ~above;
#else
  const sort_key part = (sort_key)~0;
#endif
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    item[i] =
        item_make(i < length ? key_of(&a->map, ROOM_AT(key_bits, first + i)) & part : KEY_ALL, i);
  items_sort(item);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    if (i >= length) break;
#if !NUMBERED
    ROOM_AT(key_bits, first + i) = bits_of(&a->map, item[i]);
#elif HEDDLE_POSITIONS
    ROOM_FROM(a)[first + i] = (u16)item_number(item[i]);
#else
    ROOM_FROM(a)[first + i] = (u16)(first + item_number(item[i]));
#endif
  }
}

HD_DEVICE void block_store_keys(const struct sort_block_args *a, key_bits *out, u32 count) {
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS)
#if NUMBERED
    out[i] = ROOM_AT(key_bits, ROOM_FROM(a)[i]);
#else
    out[i] = ROOM_AT(key_bits, i);
#endif
}

#if HEDDLE_VALUE_BYTES
HD_DEVICE void block_move_values(const struct sort_block_args *a, u64 start, u32 count) {
  sort_value *out = (sort_value *)a->values_out + start;
#if HEDDLE_POSITIONS
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) out[i] = ROOM_FROM(a)[i];
#else
  const sort_value *in = (const sort_value *)a->values + start;
  __syncthreads(); /* keys are stored, and values take their room */
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) ROOM_AT(sort_value, i) = in[i];
  __syncthreads(); /* values are there */
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS)
    out[i] = ROOM_AT(sort_value, ROOM_FROM(a)[i]);
#endif
}
#endif

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_sort_short(const __grid_constant__ struct sort_block_args a) {
  const u64 row = (u64)blockIdx.x * HEDDLE_THREADS, left = a.rows - row;
  const u32 rows = left < HEDDLE_THREADS ? (u32)left : HEDDLE_THREADS;
  const u32 count = rows * (u32)a.length;
  const u64 start = row * a.length;
  block_load_keys((const key_bits *)a.keys + start, count);
  if (threadIdx.x < rows) thread_sort_row(&a, threadIdx.x * (u32)a.length);
  __syncthreads(); /* rows are sorted */
  if (a.keys_out) block_store_keys(&a, (key_bits *)a.keys_out + start, count);
#if HEDDLE_VALUE_BYTES
  block_move_values(&a, start, count);
#endif
}
