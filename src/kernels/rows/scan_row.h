/* scan_row.h - running totals of one row by one warp
 *
 * Result   warp_scan_span    up to a chunk of outputs, given what comes before it
 *          warp_scan_chunks  full chunks and the rest of a row from some chunk on
 *          scan_small        a short row by one lane alone
 * Defines  rows.h's; HEDDLE_OUT the type of outputs (numbers), HEDDLE_EXCLUSIVE
 * Method   What stands before element i of a chunk is the fold of the aligned blocks that tile the
 *          chunk's first i elements onto the chunk's prefix: a lane folds onto its carry the totals
 *          of those siblings in the tree that lie to its left. The inclusive output of element i is
 *          what stands before element i + 1. A chunk's total needs its columns (rule 2), for
 *          which the chunk is read once more, out of the cache.
 * Who      all lanes of the warp arrive, with equal arguments, but for scan_small
 * Source   docs/order.md, rules 4, 6 and 7; Blelloch 1990 */
#ifndef HEDDLE_KERNELS_ROWS_SCAN_ROW_H
#define HEDDLE_KERNELS_ROWS_SCAN_ROW_H

#define COUNTER_LEVELS 6 /* of scan_small */
#include "fold.h"
#include "order/device/result.h"
#include "order/device/thread_counter.h"

#if TOTAL_KIND == HD_TOTAL_CUSTOM
typedef element result;
#define SMALL_SCAN 0
#else
#if HEDDLE_OUT == HD_U8 || HEDDLE_OUT == HD_I8
typedef u8 result;
#elif HEDDLE_OUT == HD_U64 || HEDDLE_OUT == HD_I64 || HEDDLE_OUT == HD_F64
typedef u64 result;
#elif HEDDLE_OUT == HD_U32 || HEDDLE_OUT == HD_I32 || HEDDLE_OUT == HD_F32
typedef u32 result;
#else
typedef u16 result;
#endif
#define SMALL_SCAN 32 /* elements of a row that a lane scans alone */
#endif

/* Where the next element is read and its output written; which of its row it is. */
struct scan_at {
  i64 in, out;
  u64 index;
};

HD_DEVICE total scan_identity(const struct scan_row *row) {
#if TOTAL_KIND == HD_TOTAL_CUSTOM
  return row->ends.identity;
#else
  (void)row;
  return total_identity();
#endif
}

/* Output `at` of the array, which is number `index` of its row. */
HD_DEVICE void scan_store(const struct scan_row *row, i64 at, u64 index, total t) {
  if (row->to.has_init) t = total_op(row->ends.init, t);
#if TOTAL_KIND == HD_TOTAL_CUSTOM
  (void)index;
  ((result *)row->to.out)[at] = t;
#else
#if HEDDLE_OP == HD_OP_SUM && HEDDLE_EXCLUSIVE && HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  if (!index && !row->to.has_init) t = (total)0; /* rule 7: not -0.0 */
#endif
  (void)index;
  result r;
  store_total(t, HEDDLE_OUT, &r);
  ((result *)row->to.out)[at] = r;
#endif
}

/* Every lane's left siblings folded onto carry; *sum becomes the total of all 32 lanes. */
HD_DEVICE total warp_scan_lanes(total carry, total *sum) {
  total sibling[5];
#pragma unroll
  for (int k = 0; k < 5; k++) {
    sibling[k] = warp_xor(*sum, 1 << k);
    *sum = warp_ordered(*sum, sibling[k], 1 << k);
  }
#pragma unroll
  for (int k = 4; k >= 0; k--)
    if (warp_lane() >> k & 1u) carry = total_op(carry, sibling[k]);
  return carry;
}

/* What stands behind a full tile of total t; tiles->count is of those before it. */
HD_DEVICE total warp_scan_behind(struct warp_counter *tiles, total t, total prefix, total next) {
  warp_counter_push(tiles, t);
  return tiles->count == ROW_CHUNK / TILE ? next : warp_counter_fold(tiles, prefix);
}

/* warp_scan_tile writes outputs of the first n elements of a tile, before which carry stands; it returns
 * what stands behind it if it is full. */
#if TOTAL_KIND == HD_TOTAL_CUSTOM

HD_DEVICE total warp_scan_tile(const struct scan_row *row, const struct tile *t, struct scan_at at,
                               u32 n, total carry, struct warp_counter *tiles, total prefix,
                               total next) {
  const u32 lane = warp_lane();
  total sum = t->x, e = warp_scan_lanes(carry, &sum);
  if (n == TILE) carry = warp_scan_behind(tiles, sum, prefix, next);
#if !HEDDLE_EXCLUSIVE
  e = warp_down(e, 1);
  if (lane == 31) e = carry;
#endif
  if (lane < n) scan_store(row, at.out + (i64)lane * row->to.step, at.index + lane, e);
  return carry;
}

#else

/* Outputs of a lane's quad, of a half with n elements: v stands before the quad, `next` behind the
 * half. */
HD_DEVICE void warp_scan_half(const struct scan_row *row, const struct quad *q, total v, total next,
                              i64 to, u64 index, i32 n) {
  const i32 first = 4 * (i32)warp_lane();
  const total two = total_op(v, total_op(q->x[0], q->x[1]));
  to += first * row->to.step;
#if HEDDLE_EXCLUSIVE
  const total out[4] = {v, total_op(v, q->x[0]), two, total_op(two, q->x[2])};
  (void)next;
#else
  const total after = warp_down(v, 1);
  const total out[4] = {total_op(v, q->x[0]), two, total_op(two, q->x[2]),
                        warp_lane() == 31 ? next : after};
#endif
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (first + i < n) scan_store(row, to, index + (u64)(first + i), out[i]);
    to += row->to.step;
  }
}

HD_DEVICE total warp_scan_tile(const struct scan_row *row, const struct tile *t, struct scan_at at,
                               u32 n, total carry, struct warp_counter *tiles, total prefix,
                               total next) {
  total low = quad_total(&t->quad[0]), high = quad_total(&t->quad[1]);
  total before = warp_scan_lanes(carry, &low);
  carry = total_op(carry, low);
  warp_scan_half(row, &t->quad[0], before, carry, at.out, at.index, (i32)n);
  if (n <= TILE / 2) return carry;
  before = warp_scan_lanes(carry, &high);
  if (n == TILE) carry = warp_scan_behind(tiles, total_op(low, high), prefix, next);
  warp_scan_half(row, &t->quad[1], before, carry, at.out + TILE / 2 * row->to.step,
                 at.index + TILE / 2, (i32)n - TILE / 2);
  return carry;
}

/* A row of n <= SMALL_SCAN elements, by this lane alone; lanes may differ in all of it. */
HD_DEVICE void scan_small(const struct scan_row *row, i64 at, i64 to, u32 n) {
  struct thread_counter elements;
  total before = total_identity();
  elements.count = 0;
  for (u32 i = 0; i < n; i++) {
    const i64 next = at + (i64)i * ROW_STEP(&row->from);
    thread_counter_push(&elements, row_element(&row->from, next, 0), COUNTER_LEVELS);
    const total after = thread_counter_fold(&elements, total_identity(), COUNTER_LEVELS);
    scan_store(row, to + (i64)i * row->to.step, i, HEDDLE_EXCLUSIVE ? before : after);
    before = after;
  }
}

#endif

/* The first n <= ROW_CHUNK elements of a chunk: `prefix` stands before them, `next` behind them if
 * they are all. Counts are those of blocks before, so that they need no register in between. */
HD_DEVICE void warp_scan_span(const struct scan_row *row, struct scan_at *at, u32 n, total prefix,
                              total next) {
  struct warp_counter tiles = {prefix, 0};
  total carry = prefix;
#pragma unroll 1
  for (u32 done = 0; done < n; done += TILE) {
    const u32 m = n - done < TILE ? n - done : TILE;
    struct tile t;
    tile_load(&t, &row->from, at->in, at->index, m);
    tiles.count = done / TILE;
    carry = warp_scan_tile(row, &t, *at, m, carry, &tiles, prefix, next);
    at->in += (i64)TILE * ROW_STEP(&row->from);
    at->out += (i64)TILE * row->to.step;
    at->index += TILE;
  }
}

/* n elements of a row, of which `base` stands before the first. That is element 0, or the first of
 * a piece, which is `full` if it has all its chunks and no more: `last` stands behind them then. */
HD_DEVICE void warp_scan_chunks(const struct scan_row *row, struct scan_at at, u64 n, total base,
                                bool full, total last) {
  struct warp_counter chunks = {base, 0};
  total prefix = base;
#pragma unroll 1
  for (u64 done = 0; done < n; done += ROW_CHUNK) {
    const u32 m = n - done < ROW_CHUNK ? (u32)(n - done) : ROW_CHUNK;
    total next = prefix;
    if (m == ROW_CHUNK) {
      chunks.count = done / ROW_CHUNK;
      warp_counter_push(&chunks, warp_chunk_total(&row->from, at.in, at.index));
      next = full && n - done == ROW_CHUNK ? last : warp_counter_fold(&chunks, base);
    }
    warp_scan_span(row, &at, m, prefix, next);
    prefix = next;
  }
}

/* A row by one warp. */
HD_DEVICE void warp_scan_whole(const struct scan_row *row, struct row_place from, i64 to) {
  const total identity = scan_identity(row);
  const struct scan_at at = {from.start, to, 0};
  warp_scan_chunks(row, at, from.length, identity, false, identity);
}

/* What stands before piece p: the first p slots. */
HD_DEVICE total warp_scan_prefix(total identity, const total *slots, u64 p) {
  struct warp_counter c = {identity, 0};
  u64 i = 0;
  for (; i + 32 <= p; i += 32) warp_counter_push(&c, warp_tree(slots[i + warp_lane()], 5));
  const total acc = warp_counter_fold(&c, identity);
  if (!(p & 31)) return acc;
  return warp_first(acc, slots[i + (warp_lane() < (p & 31) ? warp_lane() : 0)], (u32)p & 31);
}

/* The total of piece p, 2^level chunks, of the row at `start`: *slot. */
HD_DEVICE void warp_scan_total(const struct scan_row *row, i64 start, u64 p, u32 level,
                               total *slot) {
  struct warp_counter c = {scan_identity(row), 0};
  u64 index = (p << level) * ROW_CHUNK;
#pragma unroll 1
  for (u64 i = 0; i < 1ull << level; i++, index += ROW_CHUNK)
    warp_counter_push(
        &c, warp_chunk_total(&row->from, start + (i64)index * ROW_STEP(&row->from), index));
  const total t = warp_from(c.slot, level);
  if (warp_lane() == 0) *slot = t;
}

/* Outputs of piece p of a row of `pieces` pieces, of which p == pieces is the rest. */
HD_DEVICE void warp_scan_piece(const struct scan_row *row, struct row_place from, i64 to,
                               const total *slots, u64 p, u64 pieces, u32 level) {
  const total identity = scan_identity(row), base = warp_scan_prefix(identity, slots, p);
  const u64 elements = (u64)ROW_CHUNK << level, index = p * elements;
  const bool full = p < pieces;
  const total last = full ? warp_scan_prefix(identity, slots, p + 1) : base;
  const struct scan_at at = {from.start + (i64)index * ROW_STEP(&row->from),
                             to + (i64)index * row->to.step, index};
  warp_scan_chunks(row, at, full ? elements : from.length - index, base, full, last);
}

#endif
