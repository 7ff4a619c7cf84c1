/* fold.h - one row as a warp folds it
 *
 * Result   warp_row_total(from, at, n, ..)  a whole row of any length
 *          warp_row_chunks                  its full chunks
 *          warp_row_tail                    fewer elements than a chunk (rule 5)
 * Defines  as order/device/total.h; ROW_SHORT, where it may be 1: rows are shorter than a chunk
 * Who      all lanes of the warp arrive, with equal arguments; all lanes hold results
 * Source   docs/order.md, rules 3 to 5 */
#ifndef HEDDLE_KERNELS_ROWS_FOLD_H
#define HEDDLE_KERNELS_ROWS_FOLD_H

#include "order/device/warp_counter.h"
#include "rows.h" /* here: a text is put in place once, and not into the branch that is left out */

#if TOTAL_IS_NUMBER
#include "tile.h"
#else
#include "wide.h"
#endif

#ifndef ROW_SHORT
#define ROW_SHORT 0
#endif

/* acc op n < ROW_CHUNK elements from `at` on, of which the first tile is there. */
HD_DEVICE total warp_row_tail(total acc, const struct row_source *from, i64 at, u64 index, u32 n,
                              struct tile *t) {
  struct warp_counter tiles = {acc, 0};
  if (n < TILE) return n ? warp_tile_digits(acc, t, n) : acc;
  for (;;) {
    warp_counter_push(&tiles, warp_tile_total(t));
    n -= TILE;
    at += (i64)TILE * ROW_STEP(from);
    index += TILE;
    if (n) tile_load(t, from, at, index, n < TILE ? n : TILE);
    if (n < TILE) break;
  }
  acc = warp_counter_fold(&tiles, acc);
  return n ? warp_tile_digits(acc, t, n) : acc;
}

/* identity op the full chunks of a row of n elements. */
HD_DEVICE total warp_row_chunks(total identity, const struct row_source *from, i64 at, u64 n) {
  struct warp_counter chunks = {identity, 0};
  for (u64 index = 0; n - index >= ROW_CHUNK; index += ROW_CHUNK) {
    warp_counter_push(&chunks, warp_chunk_total(from, at, index));
    at += (i64)ROW_CHUNK * ROW_STEP(from);
  }
  return warp_counter_fold(&chunks, identity);
}

/* identity op a row of n elements, of which the first tile is there. */
HD_DEVICE total warp_row_total(total identity, const struct row_source *from, i64 at, u64 n,
                               struct tile *t) {
  if (ROW_SHORT || n < ROW_CHUNK) return warp_row_tail(identity, from, at, 0, (u32)n, t);
  const total acc = warp_row_chunks(identity, from, at, n);
  const u32 rest = (u32)(n % ROW_CHUNK);
  if (!rest) return acc;
  at += (i64)(n - rest) * ROW_STEP(from);
  tile_load(t, from, at, n - rest, rest < TILE ? rest : TILE);
  return warp_row_tail(acc, from, at, n - rest, rest, t);
}

#endif
