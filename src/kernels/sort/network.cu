/* network.cu - rows that some threads of a block hold in their registers, sorted by one network
 *
 * Result   keys_out and values_out, element by element where keys has the rows
 * Defines  key.h's; HEDDLE_THREADS, a power of two; HEDDLE_ITEMS of a thread: a power of two, or three times one;
 *          HEDDLE_VALUE_BYTES 0 to 16; HEDDLE_POSITIONS 1: values are positions in the row; HEDDLE_TILES 1:
 *          or, as rows are tiles of one row, in that; HEDDLE_PART 1: keys are some of the bits
 * Launch   a block for a.at_once rows, a power of two: each has as many of its threads
 * Memory   dynamic shared memory: the block's keys as room.h has them, or all its items, or a u16 for each
 *          element, whichever are more
 * Order    stable
 * Method   network.h's. Elements that are not there come last, where no step moves them. */
#include "network.h"
#include "room.h"
#include "values.h"

#if NUMBERED && HEDDLE_KEY_BYTES == 8
#error "items of a key of 8 bytes and a number are not passed between threads"
#endif

#define ROOM_NUMBERS ((u16 *)room)

/* ---- a block's rows ---------------------------------------------------------------------------- */

/* All threads arrive, and are together again behind. */
HD_DEVICE void block_load_keys(const key_bits *in, u32 count) {
  key_bits key[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at < count) key[i] = in[at];
  }
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at < count) ROOM_AT(key_bits, at) = key[i];
  }
  __syncthreads(); /* keys are there */
}

/* A thread's row: its first element among the block's, how many there are, and which of its threads this is. */
struct thread_row {
  u32 first, length, rank, group;
};

HD_DEVICE void thread_take_items(const struct sort_block_args *a, const struct thread_row *row,
                                 sort_item *item) {
  const sort_key part = item_part(a->bit_begin, a->bit_end);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = row->rank + i * row->group;
    item[i] = item_make(KEY_ALL, ITEM_NONE);
    if (at < row->length)
      item[i] = item_make(key_of(&a->map, ROOM_AT(key_bits, row->first + at)) & part, at);
  }
}

/* Sorted keys, or the numbers of their elements, to the places of the row. */
HD_DEVICE void thread_put_items(const struct sort_block_args *a, const struct thread_row *row,
                                const sort_item *item) {
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = row->rank * HEDDLE_ITEMS + i;
    if (at >= row->length) continue;
#if !NUMBERED
    ROOM_AT(key_bits, row->first + at) = bits_of(&a->map, item[i]);
#else
    ROOM_NUMBERS[row->first + at] = (u16)(row->first + item_number(item[i]));
#endif
  }
}

#if !NUMBERED
HD_DEVICE void block_store(const struct sort_block_args *a, u64 start, u32 count) {
  key_bits *out = (key_bits *)a->keys_out + start;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at < count) out[at] = ROOM_AT(key_bits, at);
  }
}
#else
/* What goes with the element at `from` of the block's, whose row begins with `first`. */
#if HEDDLE_POSITIONS
HD_DEVICE sort_value value_at(const struct sort_block_args *a, u64 start, u32 first, u32 from) {
  (void)a;
  return (sort_value)((HEDDLE_TILES ? start + first : 0) + (from - first));
}
#elif HEDDLE_VALUE_BYTES
HD_DEVICE sort_value value_at(const struct sort_block_args *a, u64 start, u32 first, u32 from) {
  (void)first;
  return ((const sort_value *)a->values)[start + from];
}
#endif

/* All threads arrive: results may be where elements are. */
HD_DEVICE void block_store(const struct sort_block_args *a, u64 start, u32 count) {
  const key_bits *keys = (const key_bits *)a->keys + start;
  key_bits key[HEDDLE_ITEMS];
#if HEDDLE_VALUE_BYTES
  sort_value value[HEDDLE_ITEMS];
#endif
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at >= count) continue;
    const u32 from = ROOM_NUMBERS[at];
    if (a->keys_out) key[i] = keys[from];
#if HEDDLE_VALUE_BYTES
    value[i] =
        value_at(a, start, HEDDLE_POSITIONS ? at / (u32)a->length * (u32)a->length : 0, from);
#endif
  }
  __syncthreads(); /* all is read, and may be written over */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = threadIdx.x + i * HEDDLE_THREADS;
    if (at >= count) continue;
    if (a->keys_out) ((key_bits *)a->keys_out)[start + at] = key[i];
#if HEDDLE_VALUE_BYTES
    ((sort_value *)a->values_out)[start + at] = value[i];
#endif
  }
}
#endif

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 1)
    heddle_sort_network(const __grid_constant__ struct sort_block_args a) {
  const u32 length = (u32)a.length, most = a.at_once * length;
  const u64 start = (u64)blockIdx.x * most, left = a.elements - start;
  const u32 count = left < most ? (u32)left : most;
  const u32 group = HEDDLE_THREADS / a.at_once, first = threadIdx.x / group * length;
  const struct thread_row row = {first, first < count ? min(length, count - first) : 0,
                                 threadIdx.x % group, group};
  sort_item item[HEDDLE_ITEMS];
  block_load_keys((const key_bits *)a.keys + start, count);
  thread_take_items(&a, &row, item);
  __syncthreads(); /* items are taken, and others may lie there */
  block_sort_items(item, group);
  thread_put_items(&a, &row, item);
  __syncthreads(); /* rows are sorted */
  block_store(&a, start, count);
}
