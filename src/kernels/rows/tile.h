/* tile.h - pieces of a row that a warp folds at once: totals of 4 or 8 bytes
 *
 * Result   tile_load, warp_tile_total, warp_tile_digits  TILE elements, two quads a lane
 *          warp_chunk_total                              a full chunk (rule 2)
 *          warp_small_32, warp_small_128                 eight rows of up to SMALL_ROW elements at
 *                                                        once
 * Defines  rows.h's; ROW_FLIGHT, where other loads than 16 are to be on their way; SMALL_ROW
 *          HEDDLE_QUADS 1: rows start at multiples of four elements' bytes, so that a quad is one
 *          load
 * Method   A lane takes quads of neighbours, l, l + 32, ..: the first two levels of the tree cost
 *          no shuffle. Where several registers go up the tree at once, a lane gives half of them to
 *          its sibling and gets as many back with every level, so that two registers cost one
 *          shuffle. Without alignment the four loads of a quad find three in the L1 cache.
 * Who      all lanes of the warp arrive, with equal arguments but for small_rows
 * Source   docs/order.md, rules 2 and 5; Blelloch 1990 */
#ifndef HEDDLE_KERNELS_ROWS_TILE_H
#define HEDDLE_KERNELS_ROWS_TILE_H

#include "rows.h"

#ifdef TOTAL_LANES
#define ROW_LANES TOTAL_LANES
#else /* any association gives the same bits */
#define ROW_LANES 128
#endif
#define ROW_CHUNK (16 * ROW_LANES)
#define ROW_COLUMNS (ROW_LANES / 32) /* of a lane */
#define TILE 256
#ifndef ROW_FLIGHT
#define ROW_FLIGHT 16 /* loads of a lane on their way, a multiple of ROW_COLUMNS */
#endif
#ifndef SMALL_ROW
#define SMALL_ROW 128 /* or 32 */
#endif

/* Four neighbours. */
struct quad {
  total x[4];
};
struct tile {
  struct quad quad[2];
};

HD_DEVICE total quad_total(const struct quad *q) {
  return total_op(total_op(q->x[0], q->x[1]), total_op(q->x[2], q->x[3]));
}

/* acc op the first n < 4. */
HD_DEVICE total quad_digits(total acc, const struct quad *q, u32 n) {
  if (n & 2) acc = total_op(acc, total_op(q->x[0], q->x[1]));
  return n & 1 ? total_op(acc, n & 2 ? q->x[2] : q->x[0]) : acc;
}

HD_DEVICE void quad_load(struct quad *q, const struct row_source *from, i64 at) {
#if HEDDLE_QUADS
  u32 x[4 * ELEMENT_BYTES < 4 ? 1 : ELEMENT_BYTES];
#pragma unroll
  for (int i = 0; i < 4 * ELEMENT_BYTES; i += 16)
    load_words((const u8 *)(from->x + at) + i, ELEMENT_BYTES < 4 ? 4 * ELEMENT_BYTES : 16,
               ELEMENT_BYTES < 4 ? 4 * ELEMENT_BYTES : 16, x + i / 4);
#if HEDDLE_VERB == HD_DOT
  u32 y[ELEMENT_BYTES];
#pragma unroll
  for (int i = 0; i < 4 * ELEMENT_BYTES; i += 16)
    load_words((const u8 *)(from->y + at) + i, ELEMENT_BYTES < 4 ? 4 * ELEMENT_BYTES : 16,
               ELEMENT_BYTES < 4 ? 4 * ELEMENT_BYTES : 16, y + i / 4);
#pragma unroll
  for (int i = 0; i < 4; i++) q->x[i] = total_of_product(word_element(x, i), word_element(y, i));
#else
#pragma unroll
  for (int i = 0; i < 4; i++) q->x[i] = total_of(word_element(x, i));
#endif
#else
#pragma unroll
  for (int i = 0; i < 4; i++) q->x[i] = row_element(from, at + i * ROW_STEP(from), 0);
#endif
}

/* The first n (4 or more: all) of the four from `at` on, then the identity. */
HD_DEVICE void quad_load_some(struct quad *q, const struct row_source *from, i64 at, i32 n) {
#if HEDDLE_QUADS
  if (n >= 4) {
    quad_load(q, from, at);
    return;
  }
#endif
#pragma unroll
  for (int i = 0; i < 4; i++)
    q->x[i] = i < n ? row_element(from, at + i * ROW_STEP(from), 0) : total_identity();
}

/* The first n <= TILE elements from `at` on. */
HD_DEVICE void tile_load(struct tile *t, const struct row_source *from, i64 at, u64 index, u32 n) {
  const i32 first = 4 * (i32)warp_lane();
  (void)index;
  at += first * ROW_STEP(from);
  if (n == TILE) {
    quad_load(&t->quad[0], from, at);
    quad_load(&t->quad[1], from, at + 128 * ROW_STEP(from));
    return;
  }
  quad_load_some(&t->quad[0], from, at, (i32)n - first);
  quad_load_some(&t->quad[1], from, at + 128 * ROW_STEP(from), (i32)n - first - 128);
}

/* a op its sibling's in lanes whose bit of `mask` is clear, b op its sibling's in the others. */
HD_DEVICE total warp_tile_halve(total a, total b, u32 mask) {
  const bool high = (warp_lane() & mask) != 0;
  const total send = high ? a : b, keep = high ? b : a;
  return total_op(keep, warp_xor(send, (int)mask));
}

/* Every lane holds the total of a full tile. */
HD_DEVICE total warp_tile_total(const struct tile *t) {
  total s = warp_tile_halve(quad_total(&t->quad[0]), quad_total(&t->quad[1]), 1);
#pragma unroll
  for (int k = 1; k < 5; k++) s = warp_pairs(s, k);
  return warp_pairs(s, 0);
}

/* Every lane holds acc op the aligned blocks that tile the first n < TILE elements. */
HD_DEVICE total warp_tile_digits(total acc, const struct tile *t, u32 n) {
  const u32 lanes = n >> 2 & 31, rest = n & 3;
  struct quad last = t->quad[0];
  if (n >= 128) {
    acc = total_op(acc, warp_tree(quad_total(&t->quad[0]), 5));
    last = t->quad[1];
  }
  if (lanes) acc = warp_first(acc, quad_total(&last), lanes);
  return rest ? warp_from(quad_digits(acc, &last, rest), lanes) : acc;
}

/* Where registers last, and the compiler would have fewer loads under way: long rows of neighbours. */
#define ROW_LOADS_FIRST (HEDDLE_CC >= 90 && HEDDLE_SPLIT && !HEDDLE_SEGMENTS && !HEDDLE_STRIDED)

HD_DEVICE total warp_chunk_total(const struct row_source *from, i64 at, u64 index) {
  enum { FLIGHT = ROW_FLIGHT };
  total column[ROW_COLUMNS];
  (void)index;
  at += (i64)warp_lane() * ROW_STEP(from);
#pragma unroll 1
  for (u32 i = 0; i < ROW_CHUNK / 32; i += FLIGHT) {
    total v[FLIGHT];
#pragma unroll
    for (int k = 0; k < FLIGHT; k++) v[k] = row_element(from, at + 32 * k * ROW_STEP(from), 0);
#if ROW_LOADS_FIRST
    __syncwarp(); /* all loads are on their way: none sinks below the first that is waited for */
#endif
    at += 32 * FLIGHT * ROW_STEP(from);
#pragma unroll
    for (u32 k = 0; k < FLIGHT; k++) {
      const u32 c = k % ROW_COLUMNS;
      column[c] = i == 0 && k < ROW_COLUMNS ? v[k] : total_op(column[c], v[k]);
    }
  }
#pragma unroll
  for (u32 h = ROW_COLUMNS / 2; h; h /= 2)
#pragma unroll
    for (u32 j = 0; j < h; j++) column[j] = total_op(column[j], column[j + h]);
  return warp_halves(column[0], 32);
}

/* ---- eight rows at once, four lanes each ----------------------------------------------------- */

/* What a lane knows of its row: quads 0, 4, 8, .. after its own number in the row's four lanes. */
struct small {
  total quad[8];
  struct quad last; /* the one that the row's end cuts, where it is this lane's */
};

HD_DEVICE void small_load(struct small *s, const struct row_source *from, i64 at, u32 n,
                          u32 registers) {
  const i32 first = 4 * (i32)(warp_lane() & 3);
  at += first * ROW_STEP(from);
#pragma unroll
  for (u32 k = 0; k < registers; k++) {
    const i32 left = (i32)n - first - 16 * (i32)k;
    struct quad q;
    quad_load_some(&q, from, at + 16 * (i32)k * ROW_STEP(from), left);
    s->quad[k] = quad_total(&q);
    if (left > 0 && left < 4) s->last = q;
  }
}

/* acc, then d < 4 of a row's lanes' t, then the elements of a cut quad: every lane of the row
 * holds it. */
HD_DEVICE total warp_small_end(total acc, const struct small *s, total t, u32 n) {
  const u32 base = warp_lane() & 28, d = n >> 2 & 3;
  const total two = warp_from(warp_pairs(t, 0), base), one = warp_from(t, base + (d & 2));
  if (d & 2) acc = total_op(acc, two);
  if (d & 1) acc = total_op(acc, one);
  return warp_from(quad_digits(acc, &s->last, n & 3), base + d);
}

/* n <= 32 elements: blocks of 16 are registers. */
HD_DEVICE total warp_small_32(const struct row_source *from, i64 at, u32 n) {
  const u32 base = warp_lane() & 28, blocks = n >> 4;
  total acc = total_identity();
  struct small s;
  s.last.x[0] = s.last.x[1] = s.last.x[2] = s.last.x[3] = acc;
  small_load(&s, from, at, n, 2);
  const total t = warp_pairs(warp_tile_halve(s.quad[0], s.quad[1], 1), 1), both = warp_pairs(t, 0);
  const total low = warp_from(t, base);
  if (blocks & 2) acc = total_op(acc, both);
  if (blocks & 1) acc = total_op(acc, low);
  return warp_small_end(acc, &s, blocks & 1 ? s.quad[1] : s.quad[0], n);
}

/* n <= SMALL_ROW elements of the lane's own row, which its four lanes agree on. */
HD_DEVICE total warp_small_128(const struct row_source *from, i64 at, u32 n) {
  const u32 base = warp_lane() & 28, blocks = n >> 4;
  const bool upper = (blocks & 4) != 0;
  total one[2], two[2], four[2], acc = total_identity(), t;
  struct small s;
  s.last.x[0] = s.last.x[1] = s.last.x[2] = s.last.x[3] = acc;
  small_load(&s, from, at, n, 8);
#pragma unroll
  for (u32 h = 0; h < 2; h++) {
    const total *x = s.quad + 4 * h;
    one[h] = warp_tile_halve(warp_tile_halve(x[0], x[1], 1), warp_tile_halve(x[2], x[3], 1), 2);
    two[h] = warp_pairs(one[h], 0);
    four[h] = warp_pairs(two[h], 1);
  }
  const total n2 = warp_from(upper ? two[1] : two[0], base);
  const total n1 = warp_from(upper ? one[1] : one[0], base + (blocks & 2));
  if (blocks & 8) acc = total_op(four[0], four[1]);
  if (upper) acc = total_op(acc, four[0]);
  if (blocks & 2) acc = total_op(acc, n2);
  if (blocks & 1) acc = total_op(acc, n1);
  t = s.quad[0];
#pragma unroll
  for (u32 k = 1; k < 8; k++) t = blocks == k ? s.quad[k] : t;
  return warp_small_end(acc, &s, t, n);
}

#endif
