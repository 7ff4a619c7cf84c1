/* chunk.h - the total of one full chunk by one warp (order v1, rule 2)
 *
 * Result   warp_chunk_total(x, y)  the total of the TOTAL_CHUNK elements at x (dot: times those at y),
 *                             in all lanes
 * Defines  as total.h; HEDDLE_ALIGN: every chunk starts at a multiple of so many bytes, 1 to 16
 * Who      all 32 lanes arrive
 * Method   a lane holds TOTAL_LANES / 32 neighbouring columns: a row is one load of 4 to 16 bytes
 *          a lane, and all rows (dot: half of them) are in flight before the first is used. Columns
 *          are folded from the top, then halves on halves: between lanes first, whose columns are
 *          far apart, then within. Where a row is no one load a lane's columns are 32 apart, so
 *          that loads of a warp are of neighbours, and are folded within the lane first.
 * Limits   totals of floats and custom operators; free totals have no chunks
 * Source   docs/order.md */
#ifndef HEDDLE_ORDER_DEVICE_CHUNK_H
#define HEDDLE_ORDER_DEVICE_CHUNK_H

#include "warp.h"

#if TOTAL_KIND == HD_TOTAL_MOMENTS
#include "chunk_moments.h"
#elif TOTAL_KIND == HD_TOTAL_VARIANCE
#include "chunk_variance.h"
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
#include "chunk_custom.h"
#else

#define CHUNK_COLUMNS (TOTAL_LANES / 32)
#define CHUNK_LANE_BYTES (CHUNK_COLUMNS * ELEMENT_BYTES)
#define CHUNK_WORDS (CHUNK_LANE_BYTES / 4)
#define CHUNK_ROWS_AT_ONCE (HEDDLE_VERB == HD_DOT ? 8 : 16)

/* Whether a lane's columns are neighbours. */
#define CHUNK_IS_PACKED (HEDDLE_ALIGN >= CHUNK_LANE_BYTES)
#define CHUNK_STEP ((CHUNK_IS_PACKED ? 1 : 32) * ELEMENT_BYTES)

/* Rule 2's halves for columns that lie CHUNK_COLUMNS to a lane. */
HD_DEVICE total warp_chunk_fold_columns(total *column) {
#if !CHUNK_IS_PACKED
#pragma unroll
  for (int h = CHUNK_COLUMNS / 2; h; h >>= 1)
#pragma unroll
    for (int c = 0; c < h; c++) column[c] = total_op(column[c], column[c + h]);
  return warp_halves(column[0], 32);
#else
#pragma unroll
  for (int c = 0; c < CHUNK_COLUMNS; c++) column[c] = warp_halves(column[c], 32);
#pragma unroll
  for (int h = CHUNK_COLUMNS / 2; h; h >>= 1)
#pragma unroll
    for (int c = 0; c < h; c++) column[c] = total_op(column[c], column[c + h]);
  return column[0];
#endif
}

/* A lane's columns of a row, as words of CHUNK_LANE_BYTES in all, the first at `at`. */
HD_DEVICE void chunk_load(const u8 *at, u32 *words) {
#if CHUNK_IS_PACKED
  load_words(at, CHUNK_LANE_BYTES, HEDDLE_ALIGN, words);
#else
  u32 piece[2];
#pragma unroll
  for (int w = 0; w < CHUNK_WORDS; w++) words[w] = 0;
#pragma unroll
  for (int c = 0; c < CHUNK_COLUMNS; c++) {
    const int byte = c * ELEMENT_BYTES;
    load_words(at + c * CHUNK_STEP, ELEMENT_BYTES,
               HEDDLE_ALIGN < ELEMENT_BYTES ? HEDDLE_ALIGN : ELEMENT_BYTES, piece);
    words[byte / 4] |= piece[0] << byte % 4 * 8;
    if (ELEMENT_BYTES == 8) words[byte / 4 + 1] = piece[1];
  }
#endif
}

HD_DEVICE total warp_chunk_total(const element *x, const element *y) {
  const u32 first = warp_lane() * (CHUNK_IS_PACKED ? CHUNK_LANE_BYTES : ELEMENT_BYTES);
  const u8 *px = (const u8 *)x + first;
  u32 wx[CHUNK_ROWS_AT_ONCE][CHUNK_WORDS];
#if HEDDLE_VERB == HD_DOT
  const u8 *py = (const u8 *)y + first;
  u32 wy[CHUNK_ROWS_AT_ONCE][CHUNK_WORDS];
#endif
  total column[CHUNK_COLUMNS];
#pragma unroll
  for (int top = 0; top < TOTAL_ROWS; top += CHUNK_ROWS_AT_ONCE) {
#pragma unroll
    for (int r = 0; r < CHUNK_ROWS_AT_ONCE; r++) {
      const int at = (top + r) * TOTAL_LANES * ELEMENT_BYTES;
      chunk_load(px + at, wx[r]);
#if HEDDLE_VERB == HD_DOT
      chunk_load(py + at, wy[r]);
#endif
    }
#pragma unroll
    for (int r = 0; r < CHUNK_ROWS_AT_ONCE; r++)
#pragma unroll
      for (int c = 0; c < CHUNK_COLUMNS; c++) {
#if HEDDLE_VERB == HD_DOT
        total t = total_of_product(word_element(wx[r], c), word_element(wy[r], c));
#else
        total t = total_of(word_element(wx[r], c));
#endif
        column[c] = top + r ? total_op(column[c], t) : t;
      }
  }
  (void)y;
  return warp_chunk_fold_columns(column);
}

#endif
#endif
