/* scan_row.h - running totals of one row by one warp
 *
 * Result   scan_span   up to a chunk of outputs, given what comes before it
 *          scan_chunks full chunks and the rest of a row from some chunk on
 *          scan_small  a short row by one lane alone
 * Defines  rows.h's; HEDDLE_OUT the type of outputs (numbers), HEDDLE_EXCLUSIVE
 * Method   What stands before element i of a chunk is the fold of the aligned blocks that tile the
 *          chunk's first i elements onto the chunk's prefix: a lane folds onto its carry the totals of
 *          those siblings in the tree that lie to its left. The inclusive output of element i is
 *          what stands before element i + 1. A chunk's total needs its columns (rule 2), for
 *          which the chunk is read once more, out of the cache.
 * Who      all lanes of the warp arrive, with equal arguments, but for scan_small
 * Source   docs/order.md, rules 4, 6 and 7; Blelloch 1990 */
#ifndef HEDDLE_KERNELS_SCAN_ROW_H
#define HEDDLE_KERNELS_SCAN_ROW_H

#include "convert.h"
#include "rows_fold.h"

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

/* By value, since a custom operator's are known at run time only. */
struct scan_ends {
  total init, identity;
};

struct scan_sink {
  result *out;
  i64 step;
  u64 has_init;
};

struct scan_row {
  struct row_source from;
  struct scan_sink to;
  struct scan_ends ends;
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
  row->to.out[at] = t;
#else
#if HEDDLE_OP == HD_OP_SUM && HEDDLE_EXCLUSIVE
  if (!index && !row->to.has_init) t = (total)0; /* rule 7: not -0.0 */
#endif
  (void)index;
  result r;
  store_total(t, HEDDLE_OUT, &r);
  row->to.out[at] = r;
#endif
}

/* Every lane's left siblings folded onto carry; *sum becomes the total of all 32 lanes. */
HD_DEVICE total scan_lanes(total carry, total *sum) {
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

#if TOTAL_KIND == HD_TOTAL_CUSTOM

/* Outputs of the first n elements of a tile; carry stands before it, and `next` behind it. */
HD_DEVICE void scan_tile(const struct scan_row *row, struct tile *t, total carry, total next,
                         i64 to, u64 index, u32 n) {
  const total e = scan_lanes(carry, &t->x);
  const u32 lane = warp_lane();
  if (HEDDLE_EXCLUSIVE) {
    if (lane < n) scan_store(row, to + (i64)lane * row->to.step, index + lane, e);
    return;
  }
  total after = warp_down(e, 1);
  if (lane == 31) after = next;
  if (lane < n) scan_store(row, to + (i64)lane * row->to.step, index + lane, after);
}

#else

/* The same for half of a tile, 128 elements; returns what stands behind it if it is full. */
HD_DEVICE total scan_half(const struct scan_row *row, const struct quad *q, total carry, total next,
                          bool last, i64 to, u64 index, i32 n) {
  const i32 first = 4 * (i32)warp_lane();
  total sum = quad_total(q), v[5];
  v[0] = scan_lanes(carry, &sum);
  if (!last) next = total_op(carry, sum);
  v[1] = total_op(v[0], q->x[0]);
  v[2] = total_op(v[0], total_op(q->x[0], q->x[1]));
  v[3] = total_op(v[2], q->x[2]);
  v[4] = warp_down(v[0], 1);
  if (warp_lane() == 31) v[4] = next;
#pragma unroll
  for (int i = 0; i < 4; i++)
    if (first + i < n)
      scan_store(row, to + (i64)(first + i) * row->to.step, index + (u64)(first + i),
                 v[HEDDLE_EXCLUSIVE ? i : i + 1]);
  return next;
}

HD_DEVICE void scan_tile(const struct scan_row *row, struct tile *t, total carry, total next,
                         i64 to, u64 index, u32 n) {
  const total half = scan_half(row, &t->quad[0], carry, carry, false, to, index, (i32)n);
  if (n <= 128) return;
  scan_half(row, &t->quad[1], half, next, true, to + 128 * row->to.step, index + 128, (i32)n - 128);
}

/* A row of n <= SMALL_SCAN elements, by this lane alone; lanes may differ in all of it. */
HD_DEVICE void scan_small(const struct scan_row *row, i64 at, i64 to, u32 n) {
  total slot[6], before = total_identity();
  for (u32 i = 0; i < n; i++) {
    total t = row_element(&row->from, at + (i64)i * ROW_STEP(&row->from), 0);
    total after = total_identity();
    bool carries = true;
#pragma unroll
    for (u32 k = 0; k < 6; k++) {
      const bool full = (i >> k & 1u) != 0;
      if (carries && !full) slot[k] = t;
      if (carries && full) t = total_op(slot[k], t);
      carries = carries && full;
    }
#pragma unroll
    for (u32 k = 6; k-- > 0;)
      if ((i + 1) >> k & 1u) after = total_op(after, slot[k]);
    scan_store(row, to + (i64)i * row->to.step, i, HEDDLE_EXCLUSIVE ? before : after);
    before = after;
  }
}

#endif

/* n <= ROW_CHUNK elements from `at` on, a chunk's first ones: outputs from `to` on. `prefix` stands
 * before the chunk, `next` behind it if it is full. */
HD_DEVICE void scan_span(const struct scan_row *row, i64 at, i64 to, u64 index, u32 n, total prefix,
                         total next) {
  struct row_counter tiles = {prefix, 0};
  total carry = prefix;
#pragma unroll 1
  for (u32 done = 0; done < n; done += TILE) {
    const u32 m = n - done < TILE ? n - done : TILE;
    total after = next;
    struct tile t;
    tile_load(&t, &row->from, at, index + done, m);
    if (m == TILE) {
      counter_push(&tiles, tile_total(&t));
      if (done + TILE < ROW_CHUNK) after = counter_fold(&tiles, prefix);
    }
    scan_tile(row, &t, carry, after, to, index + done, m);
    carry = after;
    at += (i64)TILE * ROW_STEP(&row->from);
    to += (i64)TILE * row->to.step;
  }
}

/* Elements [index, end) of a row, of which `base` stands before the first: index is a multiple of
 * ROW_CHUNK, and of a power of two of chunks that is more than they are, unless they are just as many:
 * then they are `full`, and `last` stands behind them. */
HD_DEVICE void scan_chunks(const struct scan_row *row, struct row_place from, i64 to, u64 index,
                           u64 end, total base, bool full, total last) {
  struct row_counter chunks = {base, 0};
  i64 at = from.start + (i64)index * ROW_STEP(&row->from);
  total prefix = base;
  to += (i64)index * row->to.step;
#pragma unroll 1
  for (; end - index >= ROW_CHUNK; index += ROW_CHUNK) {
    counter_push(&chunks, chunk_total(&row->from, at, index));
    const total next = full && end - index == ROW_CHUNK ? last : counter_fold(&chunks, base);
    scan_span(row, at, to, index, ROW_CHUNK, prefix, next);
    prefix = next;
    at += (i64)ROW_CHUNK * ROW_STEP(&row->from);
    to += (i64)ROW_CHUNK * row->to.step;
  }
  if (end > index) scan_span(row, at, to, index, (u32)(end - index), prefix, prefix);
}

/* What stands before piece p: the first p slots. */
HD_DEVICE total scan_prefix(total identity, const total *slots, u64 p) {
  struct row_counter c = {identity, 0};
  u64 i = 0;
  for (; i + 32 <= p; i += 32) counter_push(&c, warp_tree(slots[i + warp_lane()], 5));
  const total acc = counter_fold(&c, identity);
  if (!(p & 31)) return acc;
  return warp_first(acc, slots[i + (warp_lane() < (p & 31) ? warp_lane() : 0)], (u32)p & 31);
}

/* The total of piece p, 2^level chunks, of the row at `start`: *slot. */
HD_DEVICE void scan_total(const struct scan_row *row, i64 start, u64 p, u32 level, total *slot) {
  struct row_counter c = {scan_identity(row), 0};
  u64 index = (p << level) * ROW_CHUNK;
#pragma unroll 1
  for (u64 i = 0; i < 1ull << level; i++, index += ROW_CHUNK)
    counter_push(&c, chunk_total(&row->from, start + (i64)index * ROW_STEP(&row->from), index));
  const total t = warp_from(c.slot, level);
  if (warp_lane() == 0) *slot = t;
}

/* Outputs of piece p of a row of `pieces` pieces, of which p == pieces is the rest. */
HD_DEVICE void scan_piece(const struct scan_row *row, struct row_place from, i64 to,
                          const total *slots, u64 p, u64 pieces, u32 level) {
  const total identity = scan_identity(row), base = scan_prefix(identity, slots, p);
  const u64 elements = (u64)ROW_CHUNK << level, index = p * elements;
  const bool full = p < pieces;
  const total last = full ? scan_prefix(identity, slots, p + 1) : base;
  const u64 end = full ? index + elements : from.length;
  scan_chunks(row, from, to, index, end, base, full, last);
}

#endif
