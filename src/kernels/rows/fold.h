/* fold.h - one row as a warp folds it, and the counter of aligned blocks
 *
 * Result   row_total(from, at, n, ..)  a whole row of any length
 *          row_chunks                  its full chunks
 *          row_tail                    fewer elements than a chunk (rule 5)
 *          counter_push, counter_fold  totals of blocks in index order (rules 3 and 4)
 * Defines  as kernels/base/operator.h; ROW_BRIEF, where it may be 1: rows are shorter than a chunk
 * Method   Lane k keeps the total of the aligned block of 2^k that bit k of the count stands for:
 *          a slot chosen at run time is a shuffle, not an array in memory.
 * Who      all lanes of the warp arrive, with equal arguments; all lanes hold results
 * Source   docs/order.md, rules 3 to 5 */
#ifndef HEDDLE_KERNELS_ROWS_FOLD_H
#define HEDDLE_KERNELS_ROWS_FOLD_H

#include "rows.h" /* here: a text is put in place once, and not into the branch that is left out */

#if TOTAL_KIND < HD_TOTAL_ARG
#include "tile.h"
#else
#include "wide.h"
#endif

#ifndef ROW_BRIEF
#define ROW_BRIEF 0
#endif

struct row_counter {
  total slot; /* undefined where the bit of the lane's number is clear in count */
  u64 count;
};

HD_DEVICE void counter_push(struct row_counter *c, total t) {
  u32 level = 0;
  for (u64 n = c->count++; n & 1; n >>= 1) t = total_op(warp_from(c->slot, level++), t);
  if (warp_lane() == level) c->slot = t;
}

/* acc op the blocks, biggest first. */
HD_DEVICE total counter_fold(const struct row_counter *c, total acc) {
  for (u64 left = c->count; left;) {
    const u32 level = 63 - (u32)__clzll((i64)left);
    acc = total_op(acc, warp_from(c->slot, level));
    left -= 1ull << level;
  }
  return acc;
}

/* acc op n < ROW_CHUNK elements from `at` on, of which the first tile is there. */
HD_DEVICE total row_tail(total acc, const struct row_source *from, i64 at, u64 index, u32 n,
                         struct tile *t) {
  struct row_counter tiles = {acc, 0};
  if (n < TILE) return n ? tile_digits(acc, t, n) : acc;
  for (;;) {
    counter_push(&tiles, tile_total(t));
    n -= TILE;
    at += (i64)TILE * ROW_STEP(from);
    index += TILE;
    if (n) tile_load(t, from, at, index, n < TILE ? n : TILE);
    if (n < TILE) break;
  }
  acc = counter_fold(&tiles, acc);
  return n ? tile_digits(acc, t, n) : acc;
}

/* identity op the full chunks of a row of n elements. */
HD_DEVICE total row_chunks(total identity, const struct row_source *from, i64 at, u64 n) {
  struct row_counter chunks = {identity, 0};
  for (u64 index = 0; n - index >= ROW_CHUNK; index += ROW_CHUNK) {
    counter_push(&chunks, chunk_total(from, at, index));
    at += (i64)ROW_CHUNK * ROW_STEP(from);
  }
  return counter_fold(&chunks, identity);
}

/* identity op a row of n elements, of which the first tile is there. */
HD_DEVICE total row_total(total identity, const struct row_source *from, i64 at, u64 n,
                          struct tile *t) {
  if (ROW_BRIEF || n < ROW_CHUNK) return row_tail(identity, from, at, 0, (u32)n, t);
  const total acc = row_chunks(identity, from, at, n);
  const u32 rest = (u32)(n % ROW_CHUNK);
  if (!rest) return acc;
  at += (i64)(n - rest) * ROW_STEP(from);
  tile_load(t, from, at, n - rest, rest < TILE ? rest : TILE);
  return row_tail(acc, from, at, n - rest, rest, t);
}

#endif
