/* part.h - a quarter of a tile by one warp, in registers: short scans are done by many warps
 *
 * Result   part_fetch              a part of a tile: its elements
 *          block_tile_share        the tile's total for all of the block (rule 2; where order
 *                                  matters)
 *          warp_part_share         the part's total for all of the block
 *          four_tiles, four_parts  what was shared of the block's tiles, of a tile's parts
 *          warp_part_down          the part's running totals, from what comes before its tile on
 *                                  (rule 6)
 *          four_carry              what comes before one of four neighbours
 * Defines  as fetch.h
 * Method   A part is PART_ROWS rows of a tile and an aligned block of its elements: one tree over
 *          lanes and rows. Lanes that are one apart give each other two of their rows, those two
 *          apart one of the two left, so that a lane goes on with one row and 8 lanes with each: 8
 *          shuffles up and 3 down, where four trees side by side take 20 up. Rows go on where lanes
 *          end: the lanes' lowest two bits are the row.
 * Memory   where order matters a slot of PART_SLOT_BYTES of shared memory a tile
 * Source   Blelloch 1990; docs/order.md, rules 2 and 6 */
#ifndef HEDDLE_KERNELS_SCAN_PART_H
#define HEDDLE_KERNELS_SCAN_PART_H

#include "fetch.h"

#define PART_ROWS (SCAN_ROWS / SCAN_PARTS)
#define PART_WORDS (SCAN_LANE_BYTES / 4)
#define PART_GROUP (SCAN_GROUP < PART_ROWS ? SCAN_GROUP : PART_ROWS)
#define PART_BYTES (PART_ROWS * 32 * SCAN_LANE_BYTES)
/* The warp of a tile's first part has that one in registers. */
#define PART_SLOT_BYTES (TOTAL_IS_ORDER_FREE ? 0 : (SCAN_PARTS - 1) * PART_BYTES)

/* What a lane knows of its part: of row r it has unit 32 r + lane of the part's. */
struct scan_part {
  u32 words[PART_ROWS][PART_WORDS]; /* the elements */
  total left[2];    /* of the two rows that a lane keeps: the total of the left one of two lanes */
  total left_pair;  /* of the one that it goes on with: of the left one of two pairs */
  total sibling[5]; /* of that one: the neighbouring blocks of 4, 8, 16 lanes, of a row, of two */
};

/* What a block's warps tell each other of its tiles. */
struct __align__(16) part_sums {
  total tile[SCAN_BLOCK_TILES]; /* where order matters */
  total part[SCAN_BLOCK_TILES][SCAN_PARTS];
};

/* ---- from memory ----------------------------------------------------------------------------- */

/* The elements behind a tile's last whole unit: they are one lane's. */
HD_DEVICE void part_fetch_end(const u8 *in, u32 count, u32 first, struct scan_part *p) {
  const u32 units = count / SCAN_V, behind = units - first;
  u32 words[PART_WORDS];
  if (behind % 32 || behind >= 32 * PART_ROWS) return;
#pragma unroll
  for (u32 w = 0; w < PART_WORDS; w++) words[w] = 0;
#pragma unroll
  for (u32 i = 0; i + 1 < SCAN_V; i++) {
    u32 e = units * SCAN_V + i, word[2];
    if (e >= count) continue;
    load_words(in + (size_t)e * ELEMENT_BYTES, ELEMENT_BYTES,
               HEDDLE_ALIGN < ELEMENT_BYTES ? HEDDLE_ALIGN : ELEMENT_BYTES, word);
    words[i * ELEMENT_BYTES / 4] |= word[0] << (i * ELEMENT_BYTES % 4 * 8);
    if (ELEMENT_BYTES == 8) words[i * ELEMENT_BYTES / 4 + 1] = word[1];
  }
#pragma unroll
  for (u32 r = 0; r < PART_ROWS; r++)
#pragma unroll
    for (u32 w = 0; w < PART_WORDS; w++)
      if (behind == 32 * r) p->words[r][w] = words[w];
}

/* A unit is what a lane has of a row. Those behind the array's end are zeros. */
HD_DEVICE void part_fetch(const struct scan_args *args, u32 tile, u32 part, struct scan_part *p) {
  const u8 *in = tile_in(args, tile);
  const u32 count = tile_count(args, tile), first = part * PART_ROWS * 32 + warp_lane();
#pragma unroll
  for (u32 r = 0; r < PART_ROWS; r++) {
    const u32 unit = first + 32 * r;
#pragma unroll
    for (u32 w = 0; w < PART_WORDS; w++) p->words[r][w] = 0;
    if (unit < count / SCAN_V)
      load_words(in + (size_t)unit * SCAN_LANE_BYTES, SCAN_LANE_BYTES, HEDDLE_ALIGN, p->words[r]);
  }
  if (count % SCAN_V) part_fetch_end(in, count, first, p);
}

/* ---- totals ---------------------------------------------------------------------------------- */

/* The part's rows into the slot of its tile, for the warp of the first part. */
HD_DEVICE void part_keep(const struct scan_part *p, u32 part, u8 *slot) {
  u8 *to = slot + (part - 1) * PART_BYTES + warp_lane() * SCAN_LANE_BYTES;
#pragma unroll
  for (u32 r = 0; r < PART_ROWS; r++) {
    const u32 *words = p->words[r];
#if SCAN_LANE_BYTES == 16
    *(uint4 *)(to + 32 * SCAN_LANE_BYTES * r) = make_uint4(words[0], words[1], words[2], words[3]);
#elif SCAN_LANE_BYTES == 8
    *(uint2 *)(to + 32 * SCAN_LANE_BYTES * r) = make_uint2(words[0], words[1]);
#else
    *(u32 *)(to + 32 * SCAN_LANE_BYTES * r) = words[0];
#endif
  }
}

/* By the warp of the first part: the tile's total, from its own rows and the others in the slot. */
HD_DEVICE total warp_part_total(const struct scan_part *p, const u8 *slot) {
  total column[SCAN_V];
  words_row(p->words[0], column);
#pragma unroll
  for (int row = 1; row < SCAN_ROWS; row++) {
    total x[SCAN_V];
    if (row < PART_ROWS)
      words_row(p->words[row], x);
    else
      tile_row(slot, row - PART_ROWS, x);
#pragma unroll
    for (int i = 0; i < SCAN_V; i++) column[i] = total_op(column[i], x[i]);
  }
  return warp_tile_columns(column);
}

/* Tile c of the block; all its threads arrive. The total is there after the next barrier; of a tile
 * that is not full it is the identity, since nothing comes behind it. */
HD_DEVICE void block_tile_share(const struct scan_part *p, u32 c, u32 part, bool full, u8 *slot,
                                struct part_sums *sums) {
#if TOTAL_IS_ORDER_FREE
  (void)p, (void)c, (void)part, (void)full, (void)slot, (void)sums;
#else
  if (part) part_keep(p, part, slot);
  __syncthreads(); /* all rows but the first part's are in the slots */
  if (part) return;
  const total t = full ? warp_part_total(p, slot) : total_identity();
  if (warp_lane() == 0) sums->tile[c] = t;
#endif
}

/* The total of the part, held by all lanes, and its tree. */
HD_DEVICE total warp_part_up(struct scan_part *p) {
  const bool odd = warp_lane() & 1u, high = warp_lane() >> 1 & 1u;
  total x[PART_ROWS], two[2];
#pragma unroll
  for (int r = 0; r < PART_ROWS; r++) {
    total block[2 * SCAN_V];
    words_row(p->words[r], block + SCAN_V);
    x[r] = lane_up(block);
  }
#pragma unroll
  for (int i = 0; i < 2; i++) {
    const total kept = odd ? x[2 + i] : x[i], got = warp_xor(odd ? x[i] : x[2 + i], 1);
    p->left[i] = odd ? got : kept;
    two[i] = total_op(kept, got);
  }
  const total kept = high ? two[1] : two[0], got = warp_xor(high ? two[0] : two[1], 2);
  p->left_pair = high ? got : kept;
  total t = total_op(kept, got);
#pragma unroll
  for (int k = 0; k < 5; k++) { /* lanes 4, 8, 16 apart; rows 1 and 2 apart */
    p->sibling[k] = warp_xor(t, k < 3 ? 4 << k : k == 3 ? 2 : 1);
    t = total_op(t, p->sibling[k]);
  }
  return t;
}

/* By each warp; the total is there after the next barrier. */
HD_DEVICE void warp_part_share(struct scan_part *p, u32 c, u32 part, struct part_sums *sums) {
  const total t = warp_part_up(p);
  if (warp_lane() == 0) sums->part[c][part] = t;
}

HD_DEVICE total four_total(const total x[4]) {
  return total_op(total_op(x[0], x[1]), total_op(x[2], x[3]));
}

/* acc, then biggest first the aligned blocks that tile the first `index` < 4 of x. */
HD_DEVICE total four_carry(total acc, const total x[4], u32 index) {
  if (index & 2u) acc = total_op(acc, total_op(x[0], x[1]));
  if (index & 1u) acc = total_op(acc, index & 2u ? x[2] : x[0]);
  return acc;
}

/* The totals of the block's tiles, of which there are `count`; identities behind. */
HD_DEVICE void four_tiles(const struct part_sums *sums, u32 count, total x[4]) {
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    x[i] = total_identity();
    if (i >= count) continue;
#if TOTAL_IS_ORDER_FREE
    x[i] = four_total(sums->part[i]);
#else
    x[i] = sums->tile[i];
#endif
  }
}

/* The totals of the parts of tile c. */
HD_DEVICE void four_parts(const struct part_sums *sums, u32 c, total x[SCAN_PARTS]) {
#pragma unroll
  for (u32 i = 0; i < SCAN_PARTS; i++) x[i] = sums->part[c][i];
}

/* ---- results --------------------------------------------------------------------------------- */

/* What comes before the lane in each of the rows. */
HD_DEVICE void warp_part_carries(const struct scan_part *p, total before, total carry[PART_ROWS]) {
  const u32 lane = warp_lane();
  const bool odd = lane & 1u, high = lane >> 1 & 1u;
  if (odd) before = total_op(before, p->sibling[4]);
  if (high) before = total_op(before, p->sibling[3]);
#pragma unroll
  for (int k = 2; k >= 0; k--)
    if (lane >> (2 + k) & 1u) before = total_op(before, p->sibling[k]);
  /* Of the pair that is not the lane's own the partner needs it, and so on for single lanes. */
  const total right = total_op(before, p->left_pair);
  const total mine = high ? right : before, other = warp_xor(high ? before : right, 2);
  const total two[2] = {high ? other : mine, high ? mine : other};
#pragma unroll
  for (int i = 0; i < 2; i++) {
    const total behind = total_op(two[i], p->left[i]);
    const total own = odd ? behind : two[i], given = warp_xor(odd ? two[i] : behind, 1);
    carry[i] = odd ? given : own;
    carry[2 + i] = odd ? own : given;
  }
}

/* `before` and `behind` are of the part. The tree within a lane is made once more: to keep it from
 * warp_part_up takes more registers than there are. */
HD_DEVICE void warp_part_down(const struct scan_part *p, u32 part, total before, total behind,
                              total init, const struct scan_out *out) {
  total carry[PART_ROWS + 1], next[PART_ROWS];
  result results[PART_GROUP][SCAN_V];
  struct rows_stored stored = rows_store_start();
  warp_part_carries(p, before, carry);
  carry[PART_ROWS] = behind;
#pragma unroll
  for (int r = 0; r < PART_ROWS; r++) {
    next[r] = behind;
#if !HEDDLE_EXCLUSIVE
    /* Behind a row's last lane is the next row's first. */
    next[r] = warp_from(warp_lane() ? carry[r] : carry[r + 1], (warp_lane() + 1) & 31u);
#endif
  }
#pragma unroll
  for (int r = 0; r < PART_ROWS; r++) {
    total block[2 * SCAN_V], y[SCAN_V];
    const int row = (int)part * PART_ROWS + r;
    u32 words[PART_WORDS];
#pragma unroll
    for (int w = 0; w < PART_WORDS; w++) words[w] = look_late(p->words[r][w]);
    words_row(words, block + SCAN_V);
    lane_up(block);
    lane_down(block, carry[r], next[r], y);
    row_finish(out, row, init, y);
#pragma unroll
    for (int i = 0; i < SCAN_V; i++) results[r % PART_GROUP][i] = result_of(y[i]);
    if (r % PART_GROUP == PART_GROUP - 1)
      warp_rows_store(out, row - PART_GROUP + 1, PART_GROUP, PART_ROWS, results, &stored);
  }
}

#endif
