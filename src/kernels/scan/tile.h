/* tile.h - one tile of a scan by one warp, from shared memory to the output
 *
 * Result   warp_tile_total  the total of a full tile (rule 2, or any order where none matters)
 *          warp_tile_scan   its running totals, from what comes before it on (rule 6)
 * Defines  as order/device/total.h, and
 *          HEDDLE_OUT        the type of results, a number of order/device/element.h
 *          HEDDLE_OUT_ALIGN  16: of whole tiles a lane's results of a row are at a multiple of as many
 *                            bytes, or of 16; 1: wherever a result may be
 *          SCAN_SLOT_ALIGN   what a tile in shared memory is at a multiple of: 16, or of what an
 *                            element is; 16 unless the kernel says less
 *          HEDDLE_EXCLUSIVE  0 or 1; HEDDLE_INIT 1: every result is init op result
 * Method   A tile is 16 rows of 32 lanes of SCAN_V neighbours: where order matters that is a chunk.
 *          Blelloch's tree: up within a lane, then across lanes, where a butterfly gives each lane
 *          its sibling's total; rows above that by a binary counter. Down the same way: a right
 *          half's carry is its left sibling's, then the sibling's total. The carry behind an
 *          element is the next one's.
 * Memory   SCAN_TILE_BYTES of shared memory, filled by the caller, not written here
 * Source   Blelloch 1990; docs/order.md, rules 2 and 6 */
#ifndef HEDDLE_KERNELS_SCAN_TILE_H
#define HEDDLE_KERNELS_SCAN_TILE_H

#include "kernels/base/device.h"
#include "order/device/result.h"
#include "order/device/warp.h"

#include "args.h" /* needs their types */

#ifndef SCAN_SLOT_ALIGN
#define SCAN_SLOT_ALIGN 16
#endif
#if TOTAL_IS_ORDER_FREE
/* Little a lane where there is much to do for a byte: more warps share a span then. */
#if ELEMENT_BYTES < 4 || TOTAL_KIND == HD_TOTAL_KEY32
#define SCAN_V (8 / ELEMENT_BYTES)
#else
#define SCAN_V (16 / ELEMENT_BYTES)
#endif
#else
#define SCAN_V (TOTAL_LANES / 32)
#endif
#define SCAN_TILE (SCAN_ROWS * 32 * SCAN_V)
#define SCAN_TILE_BYTES (SCAN_TILE * ELEMENT_BYTES)
#define SCAN_LANE_BYTES (SCAN_V * ELEMENT_BYTES)
/* Rows side by side: chains to overlap, of as many as registers hold. */
#define SCAN_GROUP_MORE \
  (SCAN_V == 2 && TOTAL_IS_ORDER_FREE && HEDDLE_OP == HD_OP_SUM && RESULT_BYTES >= 4)
#define SCAN_GROUP (SCAN_V >= 8 ? 2 : SCAN_GROUP_MORE ? 8 : 4)

#include "results.h" /* needs SCAN_V and SCAN_ROWS */

/* The elements of a lane's words as totals. */
HD_DEVICE void words_row(const u32 *words, total x[SCAN_V]) {
#pragma unroll
  for (int i = 0; i < SCAN_V; i++) x[i] = total_of(word_element(words, i));
}

/* Row `row` of the tile: this lane's elements as totals. */
HD_DEVICE void tile_row(const void *tile, int row, total x[SCAN_V]) {
  const u8 *at = (const u8 *)tile + (row * 32 + (int)warp_lane()) * SCAN_LANE_BYTES;
  u32 words[4];
  load_words_shared(at, SCAN_LANE_BYTES, SCAN_SLOT_ALIGN, words);
  words_row(words, x);
}

/* ---- the total of a tile --------------------------------------------------------------------- */

#if TOTAL_IS_ORDER_FREE || SCAN_V != 4
HD_DEVICE total warp_tile_columns(total column[SCAN_V]) {
#if TOTAL_IS_ORDER_FREE
#pragma unroll
  for (int i = 1; i < SCAN_V; i++) column[0] = total_op(column[0], column[i]);
  return warp_tree(column[0], 5);
#else
  /* Columns h apart, h = 32 and 16 .. 2, are of lanes h / 2 apart. The lower lanes go on with the
   * first column, the upper ones with the second, and meet at h = 1. */
  bool upper = (warp_lane() & 16u) != 0;
  total kept = upper ? column[1] : column[0], given = upper ? column[0] : column[1];
  kept = total_op(kept, warp_xor(given, 16));
#pragma unroll
  for (int h = 8; h; h >>= 1) kept = total_op(kept, warp_xor(kept, h));
  return total_op(kept, warp_xor(kept, 16));
#endif
}
#else
/* Columns h apart, h = 64 .. 4, are of lanes h / 4 apart. Each step gives half of the columns left
 * to the partner; h = 2 and h = 1 meet those again. */
HD_DEVICE total warp_tile_columns(total column[SCAN_V]) {
  bool upper = (warp_lane() & 16u) != 0, third = (warp_lane() & 8u) != 0;
  total a = upper ? column[2] : column[0], b = upper ? column[3] : column[1];
  a = total_op(a, warp_xor(upper ? column[0] : column[2], 16));
  b = total_op(b, warp_xor(upper ? column[1] : column[3], 16));
  total kept = third ? b : a;
  kept = total_op(kept, warp_xor(third ? a : b, 8));
#pragma unroll
  for (int h = 4; h; h >>= 1) kept = total_op(kept, warp_xor(kept, h));
  kept = total_op(kept, warp_xor(kept, 16));
  return total_op(kept, warp_xor(kept, 8));
}
#endif

/* All lanes arrive; all hold the result. */
HD_DEVICE total warp_tile_total(const void *tile) {
  total column[SCAN_V];
#pragma unroll
  for (int i = 0; i < SCAN_V; i++) column[i] = total_identity();
#pragma unroll 1
  for (int row = 0; row < SCAN_ROWS; row += 4) {
    total x[4][SCAN_V];
#pragma unroll
    for (int r = 0; r < 4; r++) tile_row(tile, row + r, x[r]);
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
      for (int i = 0; i < SCAN_V; i++) column[i] = total_op(column[i], x[r][i]);
  }
  return warp_tile_columns(column);
}

/* ---- one row --------------------------------------------------------------------------------- */

struct scan_row {
  total block[2 * SCAN_V]; /* the lane's tree: 1 is its total, 2 i and 2 i + 1 are i's halves */
  total sibling[5];        /* the totals of the neighbouring blocks of 1, 2, 4, 8, 16 lanes */
};

/* The tree over a lane's elements, which are its last SCAN_V places; gives their total. */
HD_DEVICE total lane_up(total block[2 * SCAN_V]) {
#pragma unroll
  for (int i = SCAN_V - 1; i > 0; i--) block[i] = total_op(block[2 * i], block[2 * i + 1]);
  return block[1];
}

/* A lane's results, from what comes before it and before the next lane. */
HD_DEVICE void lane_down(const total block[2 * SCAN_V], total before, total next, total y[SCAN_V]) {
  total carry[2 * SCAN_V];
  carry[1] = before;
#pragma unroll
  for (int i = 1; i < SCAN_V; i++) {
    carry[2 * i] = carry[i];
    carry[2 * i + 1] = total_op(carry[i], block[2 * i]);
  }
#pragma unroll
  for (int i = 0; i < SCAN_V; i++) y[i] = carry[SCAN_V + i];
#if HEDDLE_EXCLUSIVE
  (void)next;
#else
#pragma unroll
  for (int i = 0; i + 1 < SCAN_V; i++) y[i] = y[i + 1];
  y[SCAN_V - 1] = next;
#endif
}

/* Gives the row's total. */
HD_DEVICE total warp_row_up(struct scan_row *row) {
  total t = lane_up(row->block);
#pragma unroll
  for (int k = 0; k < 5; k++) {
    row->sibling[k] = warp_xor(t, 1 << k);
    t = total_op(t, row->sibling[k]);
  }
  return t;
}

/* The lane's results, from the carries before and behind the row. */
HD_DEVICE void warp_row_down(const struct scan_row *row, total before, total behind,
                             total y[SCAN_V]) {
#pragma unroll
  for (int k = 4; k >= 0; k--)
    if (warp_lane() >> k & 1u) before = total_op(before, row->sibling[k]);
  total next = behind;
#if !HEDDLE_EXCLUSIVE
  next = warp_down(before, 1);
  if (warp_lane() == 31) next = behind;
#endif
  lane_down(row->block, before, next, y);
}

/* ---- rows of a tile: the binary counter ------------------------------------------------------ */

/* Aligned blocks of 2^k items: the total of the last that is a left half, and what comes before the
 * one that is under way. An item is a row of a group, or a group of a tile. */
struct carry_counter {
  total half[4], before[4];
};

HD_DEVICE void carry_counter_start(struct carry_counter *counter, total before) {
#pragma unroll
  for (int k = 0; k < 4; k++) counter->before[k] = before;
}

/* Takes the total of item `item` of 2^levels, not the last, and gives the carry behind it: the
 * largest block that ends with the item, onto what comes before that block. */
HD_DEVICE total carry_counter_push(struct carry_counter *counter, int item, int levels, total t) {
  total behind = t;
#if TOTAL_IS_ORDER_FREE
  (void)item, (void)levels;
  behind = counter->before[0] = total_op(counter->before[0], t);
#else
#pragma unroll
  for (int k = 0; k < 4; k++) {
    if (k >= levels || (item & ((1 << k) - 1)) != (1 << k) - 1) continue;
    if (item >> k & 1) {
      t = total_op(counter->half[k], t);
    } else {
      counter->half[k] = t;
      behind = total_op(counter->before[k], t);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (k < levels && ((item + 1) & ((1 << k) - 1)) == 0) counter->before[k] = behind;
#endif
  return behind;
}

/* The total of all 2^levels items, given the last one's. */
HD_DEVICE total carry_counter_total(const struct carry_counter *counter, int levels, total t) {
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (k < levels) t = total_op(counter->half[k], t);
  return t;
}

/* ---- a tile ---------------------------------------------------------------------------------- */

/* What is done to running totals before they are results. */
HD_DEVICE void row_finish(const struct scan_out *out, int row, total init, total y[SCAN_V]) {
#if HEDDLE_INIT
  (void)out, (void)row;
#pragma unroll
  for (int i = 0; i < SCAN_V; i++) y[i] = total_op(init, y[i]);
#else
  (void)init;
#if HEDDLE_EXCLUSIVE && HEDDLE_OP == HD_OP_SUM && !TOTAL_IS_ORDER_FREE
  if (out->first && row == 0 && warp_lane() == 0) y[0] = 0; /* rule 7: +0.0, not -0.0 */
#else
  (void)out, (void)row;
#endif
#endif
}

#define SCAN_GROUP_LOG (SCAN_GROUP == 8 ? 3 : SCAN_GROUP == 4 ? 2 : 1)
#define SCAN_GROUPS (SCAN_ROWS / SCAN_GROUP)
#define SCAN_GROUPS_LOG (4 - SCAN_GROUP_LOG)

/* The carries behind the rows of a group, from the one before it; gives the group's total. */
HD_DEVICE total group_carries(const total t[SCAN_GROUP], total carry[SCAN_GROUP]) {
  struct carry_counter rows;
  carry_counter_start(&rows, carry[0]);
#pragma unroll
  for (int r = 0; r + 1 < SCAN_GROUP; r++)
    carry[r + 1] = carry_counter_push(&rows, r, SCAN_GROUP_LOG, t[r]);
#if TOTAL_IS_ORDER_FREE
  return total_op(rows.before[0], t[SCAN_GROUP - 1]);
#else
  return carry_counter_total(&rows, SCAN_GROUP_LOG, t[SCAN_GROUP - 1]);
#endif
}

/* All lanes arrive. `behind` = prefix of the tile after this one, if this one is full. Some rows
 * side by side: chains to overlap. One loop for whole tiles and others: it takes long to
 * compile. */
HD_DEVICE void warp_tile_scan(const void *tile, total before, total behind, total init,
                              const struct scan_out *out) {
  struct carry_counter groups;
  total t[SCAN_GROUP], carry[SCAN_GROUP + 1], y[SCAN_V];
  struct rows_stored stored = rows_store_start();
  carry_counter_start(&groups, before);
  carry[SCAN_GROUP] = before;
#pragma unroll 1
  for (int g = 0; g < SCAN_GROUPS; g++) {
    struct scan_row rows[SCAN_GROUP];
    result results[SCAN_GROUP][SCAN_V];
    const int row = g * SCAN_GROUP;
#pragma unroll
    for (int r = 0; r < SCAN_GROUP; r++) tile_row(tile, row + r, rows[r].block + SCAN_V);
#pragma unroll
    for (int r = 0; r < SCAN_GROUP; r++) t[r] = warp_row_up(&rows[r]);
    carry[0] = carry[SCAN_GROUP];
    const total sum = group_carries(t, carry);
#if TOTAL_IS_ORDER_FREE
    carry[SCAN_GROUP] = sum;
#else
    carry[SCAN_GROUP] =
        g + 1 < SCAN_GROUPS ? carry_counter_push(&groups, g, SCAN_GROUPS_LOG, sum) : behind;
#endif
#pragma unroll
    for (int r = 0; r < SCAN_GROUP; r++) {
      warp_row_down(&rows[r], carry[r], carry[r + 1], y);
      row_finish(out, row + r, init, y);
#pragma unroll
      for (int i = 0; i < SCAN_V; i++) results[r][i] = result_of(y[i]);
    }
    warp_rows_store(out, row, SCAN_GROUP, SCAN_ROWS, results, &stored);
  }
}

#endif
