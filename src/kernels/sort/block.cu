/* block.cu - rows of which a block has room for one or some, sorted in shared memory
 *
 * Result   keys_out and values_out, element by element where keys has the rows
 * Defines  key.h's; HEDDLE_THREADS, HEDDLE_ITEMS; HEDDLE_VALUE_BYTES 0 to 16; HEDDLE_POSITIONS 1: values are
 *          positions in the row; HEDDLE_SEGMENTS 1: rows by a.offsets, of which those beyond HEDDLE_MOST
 *          elements are left to others; HEDDLE_SINGLE 1: one row a block
 * Launch   a block for a.at_once rows; segments: for those that begin among a.at_once elements
 * Memory   dynamic shared memory: a key, and a u16 or, of segments, two, for each of its elements
 * Order    stable
 * Method   The elements of a block's rows are sorted together, by every digit in which they differ and
 *          then by their row, which brings rows together again. Values stay where they are: what is
 *          sorted with a key is its element's number, by which values are gathered in the end.
 * Source   Satish et al. 2009 (sorting tiles in shared memory) */
#include "rank.h"
#include "values.h"

/* Numbers of elements go with keys. */
#define NUMBERED (!HEDDLE_SINGLE || HEDDLE_VALUE_BYTES || HEDDLE_ORDER == 2)

struct sort_block {
  u32 counts[SORT_WARPS * SORT_BINS];
  u32 sums[SORT_WARPS];
  u64 ones, zeros;
  u64 start, end;
};

extern __shared__ uint4 room[];
#define ROOM_KEYS ((sort_key *)room)
#define ROOM_NUMBERS ((u16 *)(ROOM_KEYS + SORT_TILE))
#define ROOM_ROWS \
  (ROOM_NUMBERS + SORT_TILE) /* of each element: the number of its row's first one */

struct block_items {
  sort_key key[HEDDLE_ITEMS];
#if NUMBERED
  u32 number[HEDDLE_ITEMS];
#endif
};

/* A thread's element i, of `lines` to a warp; all lines before one end are whole. */
HD_DEVICE u32 item_place(u32 i, u32 lines) {
  return (threadIdx.x / 32 * lines + i) * 32 + threadIdx.x % 32;
}

/* ---- which rows ------------------------------------------------------------------------------ */

#if HEDDLE_SEGMENTS
/* The first segment that begins at element `at` or behind it. */
HD_DEVICE u64 segment_from(const struct sort_block_args *a, u64 at) {
  const u64 *offsets = (const u64 *)a->offsets;
  u64 low = 0, high = a->rows;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (offsets[middle] < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Each element's row: its first element's number. All threads arrive; a barrier has to follow. */
HD_DEVICE void block_mark_rows(const struct sort_block_args *a, struct sort_block *b, u64 from,
                               u64 to, u32 count) {
  const u64 *offsets = (const u64 *)a->offsets;
  const u32 lines = (count + HEDDLE_THREADS - 1) / HEDDLE_THREADS;
  for (u32 i = threadIdx.x; i < lines * HEDDLE_THREADS; i += HEDDLE_THREADS) ROOM_ROWS[i] = 0;
  __syncthreads(); /* no row is marked */
  for (u64 s = from + threadIdx.x; s < to; s += HEDDLE_THREADS) {
    const u32 first = (u32)(offsets[s] - b->start);
    if (offsets[s + 1] > offsets[s] && first < count) ROOM_ROWS[first] = (u16)first;
  }
  __syncthreads(); /* first elements are marked */
  u32 last = 0;
  for (u32 i = 0; i < lines; i++) last = max(last, (u32)ROOM_ROWS[item_place(i, lines)]);
  for (u32 d = 16; d; d /= 2) last = max(last, __shfl_xor_sync(HD_ALL, last, d));
  if (threadIdx.x % 32 == 0) b->sums[threadIdx.x / 32] = last;
  __syncthreads(); /* each warp's last row is there */
  u32 before = 0;
  for (u32 w = 0; w < threadIdx.x / 32; w++) before = max(before, b->sums[w]);
  for (u32 i = 0; i < lines; i++) {
    const u32 at = item_place(i, lines), mine = ROOM_ROWS[at];
    const u32 marks = __ballot_sync(HD_ALL, mine != 0) & (2u << threadIdx.x % 32) - 1u;
    if (marks)
      ROOM_ROWS[at] = (u16)(at / 32 * 32 + 31u - (u32)__clz((int)marks));
    else
      ROOM_ROWS[at] = (u16)before;
    const u32 any = __ballot_sync(HD_ALL, mine != 0);
    if (any) before = at / 32 * 32 + 31u - (u32)__clz((int)any);
  }
}
#endif

/* b->start and b->end: the block's elements. All threads arrive. */
HD_DEVICE void block_find_rows(const struct sort_block_args *a, struct sort_block *b) {
#if HEDDLE_SEGMENTS
  __shared__ u64 rows[2];
  const u64 *offsets = (const u64 *)a->offsets;
  if (threadIdx.x < 2)
    rows[threadIdx.x] = segment_from(a, a->first + (u64)(blockIdx.x + threadIdx.x) * a->at_once);
  __syncthreads(); /* segments are found */
  if (threadIdx.x == 0) {
    b->start = offsets[rows[0]];
    b->end = offsets[rows[1]];
    /* A longer one is the last that begins here. */
    if (rows[1] > rows[0] && b->end - offsets[rows[1] - 1] > HEDDLE_MOST)
      b->end = offsets[rows[1] - 1];
  }
  __syncthreads(); /* elements are known */
  block_mark_rows(a, b, rows[0], rows[1], (u32)(b->end - b->start));
#else
  if (threadIdx.x == 0) {
    const u64 row = (u64)blockIdx.x * a->at_once, left = a->rows - row;
    b->start = row * a->length;
    b->end = b->start + (left < a->at_once ? left : a->at_once) * a->length;
  }
#endif
  if (threadIdx.x == 0) b->ones = b->zeros = 0;
  __syncthreads(); /* elements are known */
}

/* What elements are brought together by, and the first of the row: of element `number`. */
HD_DEVICE u32 row_key(const struct sort_block_args *a, u32 number) {
#if HEDDLE_SEGMENTS
  (void)a;
  return ROOM_ROWS[number];
#else
  return number / (u32)a->length;
#endif
}
HD_DEVICE u32 row_first(const struct sort_block_args *a, u32 number) {
#if HEDDLE_SEGMENTS
  return row_key(a, number);
#else
  return number / (u32)a->length * (u32)a->length;
#endif
}

/* ---- one digit ------------------------------------------------------------------------------- */

/* Places of the items' digits; those that are not there have the last one. All threads arrive, and
 * are together again behind. */
HD_DEVICE void block_place_items(struct sort_block *b, const u32 *digit, u32 lines) {
  u32 all, *counts = b->counts + threadIdx.x / 32 * SORT_BINS;
  warp_clear_counts(counts);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    if (i < lines) atomicAdd(counts + digit[i], 1u);
  __syncthreads(); /* warps have counted */
  const u32 sum = thread_sum_counts(b->counts, SORT_WARPS, threadIdx.x);
  thread_set_starts(b->counts, SORT_WARPS, threadIdx.x, block_sum_before(sum, b->sums, &all));
  __syncthreads(); /* places are there */
}

HD_DEVICE void block_sort_items(struct sort_block *b, struct block_items *items, const u32 *digit,
                                u32 lines) {
  u32 *counts = b->counts + threadIdx.x / 32 * SORT_BINS;
  const u32 below = (1u << threadIdx.x % 32) - 1u;
  block_place_items(b, digit, lines);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    if (i >= lines) break;
    const u32 rank = warp_rank_row(counts, digit[i], below);
    ROOM_KEYS[rank] = items->key[i];
#if NUMBERED
    ROOM_NUMBERS[rank] = (u16)items->number[i];
#endif
  }
  __syncthreads(); /* items are in order */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    if (i >= lines) break;
    items->key[i] = ROOM_KEYS[item_place(i, lines)];
#if NUMBERED
    items->number[i] = ROOM_NUMBERS[item_place(i, lines)];
#endif
  }
}

/* ---- a block's rows ---------------------------------------------------------------------------- */

HD_DEVICE void block_load_items(const struct sort_block_args *a, struct sort_block *b,
                                struct block_items *items, u32 count, u32 lines) {
  const key_bits *in = (const key_bits *)a->keys + b->start;
  sort_key ones = 0, zeros = 0;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = item_place(i, lines);
    items->key[i] = 0;
#if NUMBERED
    items->number[i] = at;
#endif
    if (i >= lines || at >= count) continue;
    items->key[i] = key_of(&a->map, in[at]);
    ones |= items->key[i];
    zeros |= ~items->key[i];
  }
  if (ones) atomicOr(&b->ones, (u64)ones);
  if (zeros) atomicOr(&b->zeros, (u64)zeros);
  __syncthreads(); /* bits are gathered */
}

/* By bits shift.. of the keys, or of what row_key says. */
HD_DEVICE void block_sort_by(const struct sort_block_args *a, struct sort_block *b,
                             struct block_items *items, u32 shift, bool rows, u32 count,
                             u32 lines) {
  u32 digit[HEDDLE_ITEMS];
  const u32 mask = rows ? 255u : digit_mask(shift, a->bit_end);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const bool there = item_place(i, lines) < count;
    digit[i] = there ? digit_of(items->key[i], shift, mask) : SORT_BINS - 1;
#if NUMBERED && !HEDDLE_SINGLE
    if (rows && there && i < lines) digit[i] = row_key(a, items->number[i]) >> shift & 255u;
#endif
  }
  block_sort_items(b, items, digit, lines);
}

HD_DEVICE void block_sort_rows(const struct sort_block_args *a, struct sort_block *b,
                               struct block_items *items, u32 count, u32 lines) {
  const u64 differ = b->ones & b->zeros;
#pragma unroll 1
  for (u32 shift = a->bit_begin; shift < a->bit_end; shift += 8)
    if (differ >> shift & digit_mask(shift, a->bit_end))
      block_sort_by(a, b, items, shift, false, count, lines);
#if !HEDDLE_SINGLE
  const u32 last = row_key(a, count - 1);
#pragma unroll 1
  for (u32 shift = 0; last >> shift; shift += 8)
    block_sort_by(a, b, items, shift, true, count, lines);
#endif
}

#if NUMBERED
HD_DEVICE void block_store_gathered(const struct sort_block_args *a, const struct sort_block *b,
                                    const struct block_items *items, u32 count, u32 lines) {
  key_bits key[HEDDLE_ITEMS];
#if HEDDLE_VALUE_BYTES
  sort_value value[HEDDLE_ITEMS];
#endif
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    if (i >= lines || item_place(i, lines) >= count) continue;
    const u64 from = b->start + items->number[i];
    if (a->keys_out) key[i] = ((const key_bits *)a->keys)[from];
#if HEDDLE_VALUE_BYTES && !HEDDLE_POSITIONS
    value[i] = ((const sort_value *)a->values)[from];
#elif HEDDLE_POSITIONS
    value[i] = (sort_value)(items->number[i] - row_first(a, items->number[i]));
#endif
  }
  __syncthreads(); /* all is read, and may be written over */
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u32 at = item_place(i, lines);
    if (i >= lines || at >= count) continue;
    if (a->keys_out) ((key_bits *)a->keys_out)[b->start + at] = key[i];
#if HEDDLE_VALUE_BYTES
    ((sort_value *)a->values_out)[b->start + at] = value[i];
#endif
  }
}
#endif

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_sort_block(const __grid_constant__ struct sort_block_args a) {
  __shared__ struct sort_block b;
  struct block_items items;
  block_find_rows(&a, &b);
  const u32 count = (u32)(b.end - b.start), lines = (count + HEDDLE_THREADS - 1) / HEDDLE_THREADS;
  if (!count) return;
  block_load_items(&a, &b, &items, count, lines);
  block_sort_rows(&a, &b, &items, count, lines);
#if HEDDLE_VALUE_BYTES || HEDDLE_ORDER == 2
  block_store_gathered(&a, &b, &items, count, lines);
#else
  key_bits *out = (key_bits *)a.keys_out + b.start;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    if (i < lines && item_place(i, lines) < count)
      out[item_place(i, lines)] = bits_of(&a.map, items.key[i]);
#endif
}
