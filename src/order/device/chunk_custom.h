/* chunk_custom.h - the total of one full chunk by one warp, for a custom operator
 *
 * Result   warp_chunk_total(x, y)  the total of the 16 * HEDDLE_LANES elements at x, in all lanes
 * Defines  as chunk.h; HEDDLE_LANES: the largest power of two whose elements fit 512 bytes, at
 *          least 2; HEDDLE_COMMUTATIVE: 1 folds columns first, 0 neighbours only (rule 2)
 * Who      all 32 lanes arrive
 * Method   Columns: a lane holds every 32nd; fewer lanes than 32 leave the others idle. Neighbours:
 *          32 elements at a time become one by a warp's tree, which waits in the lane of its place
 *          for 32 of its kind.
 * Source   docs/order.md; src/cpu/fold/custom.c is the same on a CPU */
#ifndef HEDDLE_ORDER_DEVICE_CHUNK_CUSTOM_H
#define HEDDLE_ORDER_DEVICE_CHUNK_CUSTOM_H

#if HEDDLE_COMMUTATIVE

#define CUSTOM_COLUMNS (HEDDLE_LANES > 32 ? HEDDLE_LANES / 32 : 1)
#define CUSTOM_WIDTH (HEDDLE_LANES < 32 ? HEDDLE_LANES : 32)

HD_DEVICE total warp_chunk_total(const element *x, const element *y) {
  const u32 lane = warp_lane() % CUSTOM_WIDTH; /* idle lanes do what others do */
  total column[CUSTOM_COLUMNS];
  (void)y;
#pragma unroll
  for (int c = 0; c < CUSTOM_COLUMNS; c++) {
    column[c] = custom_element(x + c * CUSTOM_WIDTH + lane);
    for (int r = 1; r < TOTAL_ROWS; r++)
      column[c] =
          total_op(column[c], custom_element(x + r * HEDDLE_LANES + c * CUSTOM_WIDTH + lane));
  }
#pragma unroll
  for (int h = CUSTOM_COLUMNS / 2; h; h >>= 1)
#pragma unroll
    for (int c = 0; c < h; c++) column[c] = total_op(column[c], column[c + h]);
  return warp_halves(column[0], CUSTOM_WIDTH);
}

#else

#define CUSTOM_BLOCKS (TOTAL_CHUNK / 32) /* a power of two, 1 to 256 */

HD_DEVICE total warp_chunk_total(const element *x, const element *y) {
  const u32 lane = warp_lane();
  (void)y;
#if TOTAL_CHUNK == 32
  return warp_tree(custom_element(x + lane), 5);
#else
  total high = custom_element(x + lane); /* anything that may be combined */
  for (int top = 0; top < CUSTOM_BLOCKS; top += 32) {
    total low = high;
    for (int b = 0; b < 32 && top + b < CUSTOM_BLOCKS; b++) {
      total t = warp_tree(custom_element(x + 32 * (top + b) + lane), 5);
      low = lane == (u32)b ? t : low;
    }
    total t = low; /* fewer than 32 blocks: only the tree of the first ones is whole */
    for (int k = 0; k < 5 && 1 << k < CUSTOM_BLOCKS; k++) t = warp_pairs(t, k);
    t = warp_from(t, 0);
    high = lane == (u32)(top / 32) ? t : high;
  }
  for (int k = 0; 32 << k < CUSTOM_BLOCKS; k++) high = warp_pairs(high, k);
  return warp_from(high, 0);
#endif
}

#endif
#endif
