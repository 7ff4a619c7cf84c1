/* rows.h - where a row's elements are, and their words
 *
 * Result   row_find(a, r)     row r, r counted from the launch's first
 *          warp_row_take(..)  the next elements of a row into a warp's windows
 * Defines  as windows.h; HEDDLE_QUADS 1: every 16 bytes of a row are one load */
#ifndef HEDDLE_KERNELS_EXACT_ROWS_H
#define HEDDLE_KERNELS_EXACT_ROWS_H

#include "windows.h"

struct row {
  i64 start;  /* its first element in the array */
  u64 length; /* of a row that falls: 0 */
};

HD_DEVICE struct row row_find(const struct exact_rows_args *a, u64 r) {
  struct row row;
  if (a->offsets) {
    const u64 *offsets = (const u64 *)a->offsets;
    const u64 start = offsets[r], end = offsets[r + 1];
    if (end < start && threadIdx.x % 32 == 0) hd_fault((u64 *)a->fault, HD_FAULT_OFFSETS, r + 1);
    row.start = (i64)start, row.length = end < start ? 0 : end - start;
    return row;
  }
  row.start = 0, row.length = a->length;
  r += a->first;
  for (u64 d = 0; d + 1 < a->dims; d++) { /* the last one without a division, which takes long */
    row.start += (i64)(r % a->shape[d]) * a->stride[d];
    r /= a->shape[d];
  }
  row.start += (i64)r * a->stride[a->dims - 1];
  return row;
}

/* How many there are. */
HD_DEVICE u64 row_count(const struct exact_rows_args *a) {
  return a->count ? *(const u64 *)a->count : a->rows;
}

/* Packs element e into place i (a constant once unrolled) of words that were zero there. */
HD_DEVICE void word_put(u32 *words, int i, element e) {
#if ELEMENT_BYTES == 2
  words[i / 2] |= (u32)e << (16 * (i % 2));
#elif ELEMENT_BYTES == 4
  words[i] = hd_bits_f32(e);
#else
  const u64 bits = hd_bits_f64(e);
  words[2 * i] = (u32)bits, words[2 * i + 1] = (u32)(bits >> 32);
#endif
}

/* Elements from + k * apart, k < EXACT_ELEMENTS, as far as they are below `length`, of the row that
 * begins at x. */
HD_DEVICE void row_words(u64 x, i64 step, u64 from, u64 apart, u64 length, u32 *words) {
  const element *const e = (const element *)x;
#pragma unroll
  for (int w = 0; w < 4 * EXACT_LOADS; w++) words[w] = 0;
#pragma unroll
  for (int k = 0; k < EXACT_ELEMENTS; k++) {
    const u64 i = from + (u64)k * apart;
    if (i < length) word_put(words, k, e[(i64)i * step]);
  }
}

/* The same of neighbours, 16 bytes at a time, of which the lanes of a warp have one each in turn. */
HD_DEVICE void row_quads(u64 x, u64 from, u64 length, u32 *words) {
#pragma unroll
  for (int k = 0; k < EXACT_LOADS; k++) {
    const u64 i = from + (u64)(32 * k + (int)(threadIdx.x % 32)) * EXACT_EACH;
    u32 *const four = words + 4 * k;
    four[0] = four[1] = four[2] = four[3] = 0;
    if (i < length) load_words((const u8 *)x + i * ELEMENT_BYTES, 16, 16, four);
  }
}

/* The warp's next elements of both arrays into its windows: EXACT_ELEMENTS a lane, or of lanes that have
 * rows of their own. */
HD_DEVICE void warp_row_take(struct windows *s, struct hd_exact *sum,
                             const struct exact_rows_args *a, const struct row *row, u64 from) {
  u32 wx[4 * EXACT_LOADS], wy[4 * EXACT_LOADS];
  const u64 start = (u64)row->start * ELEMENT_BYTES, x = a->x + start, y = a->y + start;
  wy[0] = 0;
#if HEDDLE_FORM == EXACT_BY_LANE
  row_words(x, a->step, from, 1, row->length, wx);
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS) row_words(y, a->step, from, 1, row->length, wy);
#elif HEDDLE_QUADS
  row_quads(x, from, row->length, wx);
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS) row_quads(y, from, row->length, wy);
#else
  from += threadIdx.x % 32;
  row_words(x, a->step, from, 32, row->length, wx);
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS) row_words(y, a->step, from, 32, row->length, wy);
#endif
  warp_windows_take(s, sum, wx, wy);
}

/* Where the result of row r goes. */
HD_DEVICE u64 row_out(const struct exact_rows_args *a, u64 r) {
  const u32 type = (u32)a->result.out_type;
  return a->out + r * (type == HD_F64 ? 8 : type == HD_F32 ? 4 : 2);
}

/* Whether windows may become a result without limbs. */
HD_DEVICE bool row_is_plain(const struct exact_rows_args *a) {
  return !a->result.has_init && !a->result.divisor;
}

#endif
