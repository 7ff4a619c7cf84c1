/* wide.h - pieces of a row that a warp folds at once: places, moments, custom elements
 *
 * Result   tile_load, warp_tile_total, warp_tile_digits  TILE elements, one a lane
 *          warp_chunk_total                              a full chunk (rules 2 and 9)
 * Defines  as order/device/total.h; TOTAL_KIND from HD_TOTAL_ARG on; custom: HEDDLE_LANES,
 *          HEDDLE_COMMUTATIVE
 * Method   Totals are too many words for several a lane. A chunk of moments is in registers: the
 *          sum gives the mean, then the powers of the deviations are folded in the same columns.
 * Who      all lanes of the warp arrive, with equal arguments
 * Source   docs/order.md, rules 2, 5, 9 and 10; src/cpu/fold/describe/, custom.c: the same
 *          bits */
#ifndef HEDDLE_KERNELS_ROWS_WIDE_H
#define HEDDLE_KERNELS_ROWS_WIDE_H

#include "order/device/warp_counter.h"
#include "rows.h"

#define TILE 32

struct tile {
  total x;
};

/* The first n elements from `at` on; what is behind them does not matter. */
HD_DEVICE void tile_load(struct tile *t, const struct row_source *from, i64 at, u64 index, u32 n) {
  const u32 i = warp_lane() < n ? warp_lane() : 0;
  t->x = row_element(from, at + (i64)i * ROW_STEP(from), index + i);
}

HD_DEVICE total warp_tile_total(const struct tile *t) { return warp_tree(t->x, 5); }

HD_DEVICE total warp_tile_digits(total acc, const struct tile *t, u32 n) {
  return warp_first(acc, t->x, n);
}

#if TOTAL_KIND == HD_TOTAL_ARG

#define ROW_CHUNK 2048

HD_DEVICE total warp_chunk_total(const struct row_source *from, i64 at, u64 index) {
  total t = total_identity();
#pragma unroll 4
  for (u32 i = warp_lane(); i < ROW_CHUNK; i += 32)
    t = total_op(t, row_element(from, at + (i64)i * ROW_STEP(from), index + i));
  return warp_tree(t, 5);
}

#elif TOTAL_KIND == HD_TOTAL_MOMENTS

#define ROW_CHUNK TOTAL_CHUNK
#define ROW_HELD (ROW_CHUNK / 32) /* elements a lane; of even number one column, of odd another */

/* Rule 2 across lanes: every lane holds it. */
HD_DEVICE f64 warp_halves_f64(f64 even, f64 odd) {
  f64 t = even + odd;
#pragma unroll
  for (int h = 16; h; h >>= 1) t += __shfl_xor_sync(HD_ALL, t, h);
  return t;
}

/* Counts and extremes of what a lane holds, then of the warp. */
HD_DEVICE void warp_chunk_extremes(const f64 *x, total *t) {
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const i64 key = hd_key_of_f64(x[k]);
    const bool is_nan = x[k] != x[k];
    t->nan += is_nan;
    t->infinite += !is_nan && x[k] - x[k] != 0;
    if (!is_nan && key < t->min_key) t->min_key = key;
    if (!is_nan && key > t->max_key) t->max_key = key;
  }
#pragma unroll
  for (int m = 16; m; m >>= 1) {
    const i64 least = __shfl_xor_sync(HD_ALL, t->min_key, m);
    const i64 most = __shfl_xor_sync(HD_ALL, t->max_key, m);
    t->nan += __shfl_xor_sync(HD_ALL, t->nan, m);
    t->infinite += __shfl_xor_sync(HD_ALL, t->infinite, m);
    t->min_key = least < t->min_key ? least : t->min_key;
    t->max_key = most > t->max_key ? most : t->max_key;
  }
}

HD_DEVICE f64 warp_chunk_wide_mean(const f64 x[ROW_HELD], f64 n) {
  f64 sum[2];
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const f64 e = HEDDLE_NAN && x[k] != x[k] ? -0.0 : x[k] * 0.00048828125; /* 2^-11 */
    sum[k % 2] = k < 2 ? e : sum[k % 2] + e;
  }
  return hd_moments_scaled_mean(warp_halves_f64(sum[0], sum[1]), n);
}

HD_DEVICE total warp_chunk_total(const struct row_source *from, i64 at, u64 index) {
  f64 x[ROW_HELD], sum[2], two[2], three[2];
  total t = total_identity();
  (void)index;
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++)
    x[k] = to_f64(row_load(from->x + at + (i64)(32 * k + warp_lane()) * ROW_STEP(from)));
  warp_chunk_extremes(x, &t);
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const f64 e = HEDDLE_NAN && x[k] != x[k] ? -0.0 : x[k];
    sum[k % 2] = k < 2 ? e : sum[k % 2] + e;
  }
  t.sum = warp_halves_f64(sum[0], sum[1]);
  t.n = 1024.0 - (HEDDLE_NAN ? (f64)t.nan : 0.0);
  if (t.n == 0) return t;
  t.mean = t.sum / t.n;
  if (moments_overflow(&t)) t.mean = warp_chunk_wide_mean(x, t.n); /* in all lanes, or in none */
#pragma unroll
  for (u32 k = 0; k < ROW_HELD; k++) {
    const f64 d = HEDDLE_NAN && x[k] != x[k] ? 0.0 : x[k] - t.mean, d2 = d * d;
    two[k % 2] = k < 2 ? d2 : two[k % 2] + d2;
    three[k % 2] = k < 2 ? d2 * d : three[k % 2] + d2 * d;
  }
  t.m2 = warp_halves_f64(two[0], two[1]);
  t.m3 = warp_halves_f64(three[0], three[1]);
  return t;
}

#elif TOTAL_KIND == HD_TOTAL_VARIANCE

#include "row_variance.h"

#elif HEDDLE_COMMUTATIVE

#define ROW_CHUNK TOTAL_CHUNK
#define ROW_COLUMNS (HEDDLE_LANES < 32 ? 1 : HEDDLE_LANES / 32)

HD_DEVICE total warp_chunk_total(const struct row_source *from, i64 at, u64 index) {
  total column[ROW_COLUMNS];
  const u32 lane = warp_lane() % (HEDDLE_LANES < 32 ? HEDDLE_LANES : 32);
  (void)index;
#pragma unroll
  for (u32 c = 0; c < ROW_COLUMNS; c++) {
    const i64 top = at + (i64)(32 * c + lane) * ROW_STEP(from);
    column[c] = row_element(from, top, 0);
    for (i64 r = 1; r < TOTAL_ROWS; r++)
      column[c] =
          total_op(column[c], row_element(from, top + r * HEDDLE_LANES * ROW_STEP(from), 0));
  }
#pragma unroll
  for (u32 h = ROW_COLUMNS / 2; h; h /= 2)
#pragma unroll
    for (u32 j = 0; j < h; j++) column[j] = total_op(column[j], column[j + h]);
  return warp_halves(column[0], HEDDLE_LANES < 32 ? HEDDLE_LANES : 32);
}

#else

/* Neighbours only: a chunk is a power of two of tiles, at least one. */
#define ROW_CHUNK TOTAL_CHUNK
#define ROW_TILES (ROW_CHUNK / 32)

HD_DEVICE total warp_chunk_total(const struct row_source *from, i64 at, u64 index) {
  struct warp_counter tiles = {total_of(row_load(from->x + at)), 0}; /* any total */
  (void)index;
  for (u32 i = 0; i < ROW_TILES; i++)
    warp_counter_push(
        &tiles,
        warp_tree(row_element(from, at + (i64)(32 * i + warp_lane()) * ROW_STEP(from), 0), 5));
  return warp_from(tiles.slot, hd_top_bit(ROW_TILES));
}

#endif
#endif
