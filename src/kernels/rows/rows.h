/* rows.h - where the rows of an array are, and how ragged ones are shared out
 *
 * Result   row_at(view, r)  where row r starts and how long it is
 *          row_element      one element of a row as a total
 *          row_level: pieces of long rows
 *          row_batch, row_take: rows a ticket; row_work_end: the last block
 * Defines  HEDDLE_SEGMENTS  1: rows are segments between offsets; 0: along an axis
 *          HEDDLE_COUNTED   1: of segments, how many there are is in device memory
 *          HEDDLE_STRIDED   0: a row's elements are neighbours; 1: `step` apart
 * Method   A row's number gives its place by one division for each of the other axes.
 *          Offsets may lie on the device, where the host cannot see them: a row of 2^level chunks
 *          or more is put on a list and cut into pieces of 2^level chunks; folds give the longest
 *          rows larger ones, and rows of few chunks one. The level grows with all the elements
 *          together, so that there are never more pieces than the list has room for.
 * Source   docs/order.md, rule 11 */
#ifndef HEDDLE_KERNELS_ROWS_ROWS_H
#define HEDDLE_KERNELS_ROWS_ROWS_H

#include "kernels/base/device.h"
#include "order/device/warp.h"

#include "args.h" /* needs their types */

#if HEDDLE_STRIDED
#define ROW_STEP(from) ((from)->step)
#else
#define ROW_STEP(from) ((i64)1)
#endif

struct row_place {
  i64 start;
  u64 length;
};

HD_DEVICE struct row_place row_at(const struct row_view *view, u64 r) {
  struct row_place place;
#if HEDDLE_SEGMENTS
  const u64 start = view->offsets[r];
  place.start = (i64)start;
  place.length = view->offsets[r + 1] - start;
#else
  place.start = 0;
  place.length = view->length;
  r += view->first;
#pragma unroll 1 /* a division is long */
  for (u32 d = 0; d + 1 < (u32)view->dims; d++) {
    const u64 outer = r / view->shape[d];
    place.start += (i64)(r - outer * view->shape[d]) * view->stride[d];
    r = outer;
  }
  place.start += (i64)r * view->stride[view->dims - 1];
#endif
  return place;
}

/* How many segments there are. */
HD_DEVICE u64 segment_count(const struct row_view *view) {
#if HEDDLE_COUNTED
  return *view->count;
#else
  return view->rows;
#endif
}

/* ---- elements ------------------------------------------------------------------------------ */

HD_DEVICE element row_load(const element *x) {
#if HEDDLE_TYPE == HD_CUSTOM
  return *x;
#else
  u32 words[2];
  load_words(x, ELEMENT_BYTES, ELEMENT_BYTES, words);
  return word_element(words, 0);
#endif
}

/* Element `at` of the array, which is element `index` of its row. */
HD_DEVICE total row_element(const struct row_source *from, i64 at, u64 index) {
  (void)index;
#if HEDDLE_VERB == HD_DOT
  return total_of_product(row_load(from->x + at), row_load(from->y + at));
#elif HEDDLE_VERB == HD_ARGREDUCE
  return total_at(row_load(from->x + at), index);
#else
  return total_of(row_load(from->x + at));
#endif
}

/* ---- long rows among ragged ones ------------------------------------------------------------ */

#define ROW_LEVEL 3

/* By one thread of each block that has nothing left: the last one tells if offsets fall, and leaves
 * zeros. */
HD_DEVICE void row_work_end(struct row_work *work, u64 *fault) {
  __threadfence();
  if (atomicAdd(&work->done, 1ull) != gridDim.x - 1) return;
  __threadfence();
  if (peek64(&work->bad)) hd_fault(fault, HD_FAULT_OFFSETS, ~work->bad);
  work->ticket = work->through = work->listed = work->piece = work->bad = work->done = 0;
  work->totals = work->sweep = 0;
}

/* 2^level chunks a piece, for at most `list` pieces. */
HD_DEVICE u32 row_level(u64 elements, u32 chunk, u32 list) {
  u32 level = ROW_LEVEL;
  while (level < 40 && elements / list >> level >= chunk) level++;
  return level;
}

/* Rows that a warp takes by one ticket: some 16,384 elements of them, up to 32. */
HD_DEVICE u32 row_batch(u64 elements, u64 all) {
  const u64 mean = elements / all;
  u32 rows = 32;
  while (rows > 1 && mean * rows > 16384) rows /= 2;
  return rows;
}

/* Batches of 32 rows that are one ticket's where rows are short: tickets come one after the other.
 * Few, as some of them may be long. */
HD_DEVICE u32 row_take(u64 elements, u64 all) {
  const u64 mean = elements / all;
  u32 batches = 1;
  while (batches < 4 && mean * 32 * batches < 8192) batches *= 2;
  return batches;
}

#endif
