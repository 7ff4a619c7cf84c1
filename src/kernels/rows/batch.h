/* batch.h - up to 32 rows that a warp folds one after the other, from global memory
 *
 * Result   warp_fold_batch   the total of each lane's own row
 * Defines  as fold.h
 * Method   While a row is folded, the first tile of the one behind it is on its way. Rows of up to
 *          SMALL_ROW elements are folded eight at once.
 * Who      all lanes of the warp arrive
 * Source   docs/order.md, rules 2 to 5 */
#ifndef HEDDLE_KERNELS_ROWS_BATCH_H
#define HEDDLE_KERNELS_ROWS_BATCH_H

#include "finish.h"
#include "fold.h"

struct batch {
  struct row_place place; /* the lane's own row */
  total mine;             /* and its total */
  u64 next;               /* length of the row whose first tile is in `tile` */
  i64 at;
  struct tile tile;
};

/* The first tile of the row that lane `row` holds, which is folded by all. */
HD_DEVICE void warp_batch_fetch(struct batch *b, const struct row_source *from, int row) {
  b->at = __shfl_sync(HD_ALL, b->place.start, row);
  b->next = __shfl_sync(HD_ALL, b->place.length, row);
  tile_load(&b->tile, from, b->at, 0, b->next < TILE ? (u32)b->next : TILE);
}

#if TOTAL_IS_NUMBER
/* The rows of lanes in the mask `small`, eight at once. */
HD_DEVICE void warp_batch_small(struct batch *b, const struct row_source *from, u32 small) {
  const u32 lane = warp_lane();
  const u32 above = __ballot_sync(HD_ALL, b->place.length > 32) & small;
#pragma unroll 1
  for (u32 j = 0; j < 32; j += 8) {
    if (!(small >> j & 0xffu)) continue;
    const u32 row = j + (lane >> 2);
    const i64 at = __shfl_sync(HD_ALL, b->place.start, (int)row);
    u32 n = __shfl_sync(HD_ALL, (u32)b->place.length, (int)row);
    if (!(small >> row & 1u)) n = 0;
    const total t = SMALL_ROW > 32 && above >> j & 0xffu ? warp_small_128(from, at, n)
                                                         : warp_small_32(from, at, n);
    const total own = warp_from(t, (lane - j) * 4 & 31u);
    if (lane - j < 8) b->mine = own;
  }
}
#endif

/* All rows of the batch but those of `most` elements or more: their totals to `mine`. While a row
 * is folded, the first tile of the one behind it is on its way. */
HD_DEVICE void warp_fold_batch(struct batch *b, const struct row_source *from,
                               const struct total_ends *ends, u64 most) {
  u32 large = __ballot_sync(HD_ALL, b->place.length && b->place.length < most);
  b->mine = row_identity(ends);
#if TOTAL_IS_NUMBER
  const u32 small = __ballot_sync(HD_ALL, b->place.length && b->place.length <= SMALL_ROW);
  if (small) warp_batch_small(b, from, small);
  large &= ~small;
#endif
  if (large) warp_batch_fetch(b, from, __ffs((int)large) - 1);
#pragma unroll 1
  while (large) {
    const u32 row = (u32)__ffs((int)large) - 1;
    struct tile first = b->tile;
    const i64 at = b->at;
    const u64 n = b->next;
    large &= large - 1;
    if (large) warp_batch_fetch(b, from, __ffs((int)large) - 1);
    const total t = warp_row_total(row_identity(ends), from, at, n, &first);
    if (warp_lane() == row) b->mine = t;
  }
}

#endif
