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
#include "items.h"
#include "room.h"
#include "values.h"

/* ---- a block's rows -------------------------------------------------------------------------- */

#define ROOM_FROM(a) ((u16 *)((u8 *)room + (a)->numbers))

HD_DEVICE void block_load_keys(const key_bits *in, u32 count) {
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) ROOM_AT(key_bits, i) = in[i];
  __syncthreads(); /* keys are there */
}

/* The thread's row, which begins with element `first` of the block's: sorted keys where they were, or the
 * number of each place's element. */
HD_DEVICE void thread_sort_row(const struct sort_block_args *a, u32 first) {
  const u32 length = (u32)a->length;
  sort_item item[HEDDLE_ITEMS];
  const sort_key part = item_part(a->bit_begin, a->bit_end);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    item[i] =
        item_make(i < length ? key_of(&a->map, ROOM_AT(key_bits, first + i)) & part : KEY_ALL, i);
  items_sort(item, HEDDLE_ITEMS);
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
