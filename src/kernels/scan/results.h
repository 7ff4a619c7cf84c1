/* results.h - where a scan's results go, and how a warp's rows of them get there
 *
 * Result   result_of   a total as a result
 *          warp_rows_store  some rows of a warp, SCAN_V neighbours a lane, to any address that a result
 *                      may have
 * Defines  as tile.h, which includes this
 * Method   Whole rows are stored in units of up to 16 bytes, at multiples of their size. Where the
 *          output is no such multiple, a unit is the end of one lane's results and the beginning of
 *          the next one's: a lane gets the words of the lane before it, the first one those of the
 *          row before, and shifts both by what the output is off. Only the first and the last few
 *          results of a warp are stored one by one. One by one, a warp's stores would each touch
 *          every sector of a row. */
#ifndef HEDDLE_KERNELS_SCAN_RESULTS_H
#define HEDDLE_KERNELS_SCAN_RESULTS_H

#if HEDDLE_OUT == HD_U8 || HEDDLE_OUT == HD_I8
typedef u8 result;
#define RESULT_BYTES 1
#elif HEDDLE_OUT == HD_U16 || HEDDLE_OUT == HD_I16 || HEDDLE_OUT == HD_F16 || HEDDLE_OUT == HD_BF16
typedef u16 result;
#define RESULT_BYTES 2
#elif HEDDLE_OUT == HD_U32 || HEDDLE_OUT == HD_I32 || HEDDLE_OUT == HD_F32
typedef u32 result;
#define RESULT_BYTES 4
#else
typedef u64 result;
#define RESULT_BYTES 8
#endif

HD_DEVICE result result_of(total t) {
  result bits = 0;
  store_total(t, HEDDLE_OUT, &bits);
  return bits;
}

/* Where the results of a tile go: element e to out[e], if low <= e < high. */
struct scan_out {
  u8 *out;
  u32 low, high;
  bool whole; /* all of them, and at a multiple of HEDDLE_OUT_ALIGN */
  bool first; /* the array begins with this tile */
};

/* A lane's results of a row: bytes, 32-bit words, and the unit in which they are stored. */
#define RESULTS_BYTES (SCAN_V * RESULT_BYTES)
#define RESULTS_WORDS ((RESULTS_BYTES + 3) / 4)
#define UNIT_MOST (HEDDLE_OUT_ALIGN != 16 && RESULT_BYTES < 4 ? 8 : 16)
#define UNIT_BYTES (RESULTS_BYTES < UNIT_MOST ? RESULTS_BYTES : UNIT_MOST)
#define UNIT_WORDS ((UNIT_BYTES + 3) / 4)

HD_DEVICE void results_pack(const result y[SCAN_V], u32 words[RESULTS_WORDS]) {
#pragma unroll
  for (int i = 0; i < RESULTS_WORDS; i++) words[i] = 0;
#pragma unroll
  for (int i = 0; i < SCAN_V; i++) {
    const int bit = 8 * RESULT_BYTES * i;
    words[bit / 32] |= (u32)y[i] << (bit % 32);
#if RESULT_BYTES == 8
    words[bit / 32 + 1] = (u32)(y[i] >> 32);
#endif
  }
}

/* UNIT_BYTES at a multiple of as many. */
HD_DEVICE void unit_store(u8 *to, const u32 *words) {
#if UNIT_BYTES == 16
  store16_stream(to, make_uint4(words[0], words[1], words[2], words[3]));
#elif UNIT_BYTES == 8
  store8_stream(to, make_uint2(words[0], words[1]));
#elif UNIT_BYTES == 4
  store4_stream(to, words[0]);
#else
  store2_stream(to, words[0]);
#endif
}

/* ---- at an address between units ------------------------------------------------------------- */

#if HEDDLE_OUT_ALIGN != 16 && UNIT_BYTES >= 4
#define ROWS_ARE_SHIFTED 1
/* Of the lane before: no more than a unit may be missing. */
#define BEFORE_WORDS (RESULT_BYTES < 4 ? UNIT_WORDS : UNIT_WORDS - RESULT_BYTES / 4)

/* The words of the lane before and the lane's own, so that those from BEFORE_WORDS on are what
 * begins `off` bytes, a multiple of RESULT_BYTES below UNIT_BYTES, before the lane's own. */
HD_DEVICE void words_shift(u32 words[BEFORE_WORDS + RESULTS_WORDS], u32 off) {
#if RESULT_BYTES < 4
#pragma unroll
  for (int i = BEFORE_WORDS + RESULTS_WORDS - 1; i > 0; i--)
    words[i] = __funnelshift_l(words[i - 1], words[i], 8 * (off & 3u));
#endif
#pragma unroll
  for (u32 step = 1; step < UNIT_WORDS; step *= 2) {
    if (4 * step < RESULT_BYTES) continue; /* `off` is no odd number of words */
#pragma unroll
    for (u32 i = BEFORE_WORDS + RESULTS_WORDS - 1; i >= step; i--)
      words[i] = off & (4u * step) ? words[i - step] : words[i];
  }
}

/* Rows of a warp's: `last` is the lane's last words of the row before. Of the first row's first unit and
 * behind the last row's last only the warp's own results are stored. */
HD_DEVICE void warp_rows_store_shifted(u8 *to, int rows, bool start, bool end,
                                       const result y[][SCAN_V], u32 last[BEFORE_WORDS]) {
  const u32 lane = warp_lane(), off = (u32)(size_t)to & (UNIT_BYTES - 1);
  to += lane * RESULTS_BYTES;
#pragma unroll
  for (int r = 0; r < rows; r++, to += 32 * RESULTS_BYTES) {
    u32 words[BEFORE_WORDS + RESULTS_WORDS];
    const bool edge = r == 0 && start && lane == 0;
    results_pack(y[r], words + BEFORE_WORDS);
#pragma unroll
    for (int i = 0; i < BEFORE_WORDS; i++) {
      const u32 own = words[RESULTS_WORDS + i];
      words[i] = __shfl_sync(HD_ALL, lane == 31 ? last[i] : own, (int)(lane + 31) & 31);
      last[i] = own;
    }
    words_shift(words, off);
    if (edge) {
#pragma unroll
      for (int i = 0; i < SCAN_V; i++)
        if (i * RESULT_BYTES < UNIT_BYTES - off) ((result *)to)[i] = y[r][i];
    }
#pragma unroll
    for (int i = 0; i < RESULTS_BYTES; i += UNIT_BYTES)
      if (i || !edge) unit_store(to - off + i, words + BEFORE_WORDS + i / 4);
    if (r + 1 == rows && end && lane == 31) {
#pragma unroll
      for (int i = 0; i < SCAN_V; i++)
        if (i * RESULT_BYTES >= RESULTS_BYTES - off) ((result *)to)[i] = y[r][i];
    }
  }
}
#else
#define ROWS_ARE_SHIFTED 0
#define BEFORE_WORDS 1
#endif

/* ---- rows ------------------------------------------------------------------------------------ */

/* What is kept from one call of warp_rows_store for the next. */
struct rows_stored {
  u32 last[BEFORE_WORDS];
};
HD_DEVICE struct rows_stored rows_store_start(void) {
  struct rows_stored stored;
#pragma unroll
  for (int i = 0; i < BEFORE_WORDS; i++) stored.last[i] = 0;
  return stored;
}

/* So many rows, from `row` on, of `of` (a power of two) that a warp stores one after the other. */
HD_DEVICE void warp_rows_store(const struct scan_out *out, int row, int rows, int of,
                               const result y[][SCAN_V], struct rows_stored *stored) {
  const u32 first = (u32)(row * 32 + (int)warp_lane()) * SCAN_V;
#if HEDDLE_OUT_ALIGN == 16
  if (out->whole) {
#pragma unroll
    for (int r = 0; r < rows; r++) {
      u8 *to = out->out + (size_t)(first + (u32)r * 32 * SCAN_V) * RESULT_BYTES;
      u32 words[RESULTS_WORDS];
      results_pack(y[r], words);
#pragma unroll
      for (int i = 0; i < RESULTS_BYTES; i += UNIT_BYTES) unit_store(to + i, words + i / 4);
    }
    return;
  }
#elif ROWS_ARE_SHIFTED
  if (out->whole) {
    warp_rows_store_shifted(out->out + (size_t)row * 32 * RESULTS_BYTES, rows, row % of == 0,
                            (row + rows) % of == 0, y, stored->last);
    return;
  }
#endif
  (void)of, (void)stored;
#pragma unroll
  for (int r = 0; r < rows; r++)
#pragma unroll
    for (u32 i = 0; i < SCAN_V; i++) {
      const u32 at = first + (u32)r * 32 * SCAN_V + i;
      if (at >= out->low && at < out->high) ((result *)out->out)[at] = y[r][i];
    }
}

#endif
