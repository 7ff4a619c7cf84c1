/* columns.h - the moments of a strip of neighbouring columns, down their lines (rule 9)
 *
 * Result    of struct hd_cpu_fold_strips: the totals of describe_tmpl.h's kernels, one a column
 * Method    A few lines at a time become f64 in a block. A full chunk's lanes, of 16 lines each, are
 *           folded in registers; then the powers about the means, from the same lines in the cache. A
 *           column whose chunk has no finite sum is gathered and left to chunk.h */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_COLUMNS_H
#define HEDDLE_CPU_FOLD_DESCRIBE_COLUMNS_H

#include "strip_short.h"

/* ---- a full chunk -------------------------------------------------------------------------------- */

/* The 16 lines of lane j of the chunk at x, and what comes of them fetched. */
static void strip_lane(struct strip *s, const char *x, i64 pitch, size_t j) {
  (void)s->spread(x + (i64)j * pitch, DESC_ROW * pitch, s->apart, HD_CHUNK_ROWS, s->width, s->block,
                  s->wide, STRIP_AHEAD * pitch);
}

/* Halves of the lanes on halves: the first line of them is their total. */
static void strip_halves(const struct strip *s, f64 *lanes) {
  for (size_t h = DESC_ROW / 2 * s->wide; h >= s->wide; h /= 2)
    for (size_t i = 0; i < h; i += LANES64)
      node_store(lanes + i, load_f64_f64(lanes + i) + load_f64_f64(lanes + h + i));
}

DESC_INLINE void sums_as(struct strip *s, size_t j, bool skip, bool rest) {
  for (size_t i = 0; i < s->wide; i += LANES64) {
    vi64 least, most, nan;
    vf64 sum = {0};
    if (rest) least = load_i64_i64(s->least + i), most = load_i64_i64(s->most + i);
    if (skip) nan = load_i64_i64(s->nan + i);
    for (size_t r = 0; r < HD_CHUNK_ROWS; r++) {
      vf64 e = load_f64_f64(s->block + r * s->wide + i);
      if (rest) least = lesser_i64(least, key_f64(e, INT64_MAX));
      if (rest) most = greater_i64(most, key_f64(e, INT64_MIN));
      if (skip) nan -= e != e;
      if (skip) e = keep_f64(e, -0.0);
      sum = r ? sum + e : e;
    }
    if (rest) memcpy(s->least + i, &least, sizeof least), memcpy(s->most + i, &most, sizeof most);
    if (skip) memcpy(s->nan + i, &nan, sizeof nan);
    node_store(s->two + j * s->wide + i, sum);
  }
}
static __attribute__((noinline)) void strip_sums(struct strip *s, size_t j) {
  if (s->skip)
    s->rest ? sums_as(s, j, true, true) : sums_as(s, j, true, false);
  else
    s->rest ? sums_as(s, j, false, true) : sums_as(s, j, false, false);
}

DESC_INLINE void powers_as(struct strip *s, const f64 *mean, size_t j, bool skip, bool rest) {
  for (size_t i = 0; i < s->wide; i += LANES64) {
    const vf64 m = load_f64_f64(mean + i);
    vf64 a = {0}, b = {0};
    for (size_t r = 0; r < HD_CHUNK_ROWS; r++) {
      const vf64 e = load_f64_f64(s->block + r * s->wide + i), away = e - m;
      const vf64 d = skip ? select_f64(e == e, away, (vf64){0}) : away, d2 = d * d;
      a = r ? a + d2 : d2;
      if (rest) b = r ? b + d2 * d : d2 * d;
    }
    node_store(s->two + j * s->wide + i, a);
    if (rest) node_store(s->three + j * s->wide + i, b);
  }
}
static __attribute__((noinline)) void strip_powers(struct strip *s, const f64 *mean, size_t j) {
  if (s->skip)
    s->rest ? powers_as(s, mean, j, true, true) : powers_as(s, mean, j, true, false);
  else
    s->rest ? powers_as(s, mean, j, false, true) : powers_as(s, mean, j, false, false);
}

/* Column c of a chunk, whose sum is not finite, into its place in node p. */
static __attribute__((noinline)) void strip_gathered(struct strip *s, const char *x, i64 pitch,
                                                     size_t c, f64 *p) {
  f64 room[DESC_CHUNK], line[HD_CHUNK_ROWS * LANES64];
  struct hd_moments m;
  for (size_t at = 0; at < DESC_CHUNK; at += HD_CHUNK_ROWS) {
    (void)s->spread(x + (i64)at * pitch + (i64)c * s->apart, pitch, s->apart, HD_CHUNK_ROWS, 1,
                    line, LANES64, 0);
    for (size_t r = 0; r < HD_CHUNK_ROWS; r++) room[at + r] = line[r * LANES64];
  }
  chunk_moments((const char *)room, s->skip, s->squares, s->rest, &m);
  if (!s->skip) s->nan[c] += m.nan;
  s->infinite[c] += m.infinite;
  p[STRIP_N * s->wide + c] = m.n;
  p[STRIP_MEAN * s->wide + c] = m.mean;
  p[STRIP_M2 * s->wide + c] = m.m2;
  p[STRIP_M3 * s->wide + c] = m.m3;
  p[STRIP_SUM * s->wide + c] = m.sum;
}

static void strip_chunk(struct strip *s, const char *x, i64 pitch) {
  const size_t wide = s->wide;
  f64 *p = s->spare, *sum = p + STRIP_SUM * wide, *mean = p + STRIP_MEAN * wide;
  u64 before[STRIP_MOST + LANES64];
  if (s->skip) memcpy(before, s->nan, s->wide * sizeof *before);
  for (size_t j = 0; j < DESC_ROW; j++) {
    strip_lane(s, x, pitch, j);
    strip_sums(s, j);
  }
  strip_halves(s, s->two);
  memcpy(sum, s->two, wide * sizeof *sum);
  for (size_t c = 0; c < wide; c++) {
    const f64 n = (f64)DESC_CHUNK - (s->skip ? (f64)(s->nan[c] - before[c]) : 0);
    p[STRIP_N * wide + c] = n;
    mean[c] = n == 0 ? 0 : sum[c] / n;
  }
  for (size_t j = 0; s->squares && j < DESC_ROW; j++) {
    strip_lane(s, x, pitch, j);
    strip_powers(s, mean, j);
  }
  if (s->squares) strip_halves(s, s->two);
  if (s->rest) strip_halves(s, s->three);
  memcpy(p + STRIP_M2 * wide, s->two, wide * sizeof *p);
  memcpy(p + STRIP_M3 * wide, s->three, wide * sizeof *p);
  for (size_t c = 0; c < s->width; c++)
    if (!hd_is_finite(sum[c])) strip_gathered(s, x, pitch, c, p);
  s->some = true;
  (void)strip_push(s, s->chunks++, 0, p);
}

/* ---- struct hd_cpu_fold_strips -------------------------------------------------------------------- */

static void strip_start(struct strip *s, spread_function *spread, i64 apart, size_t width) {
  s->spread = spread, s->apart = apart;
  s->width = width, s->wide = (width + LANES64 - 1) / LANES64 * LANES64;
  s->any = false;
  s->chunks = 0;
  f64 *node = s->node;
  for (size_t i = 0; i < STRIP_SLOTS; i++, node += STRIP_PARTS * s->wide) s->slot[i] = node;
  s->acc = node, s->spare = node + STRIP_PARTS * s->wide;
  memset(s->nan, 0, s->wide * sizeof *s->nan);
  memset(s->infinite, 0, s->wide * sizeof *s->infinite);
  for (size_t c = 0; c < s->wide; c++) s->least[c] = INT64_MAX, s->most[c] = INT64_MIN;
}

/* The next n lines: full chunks, or with the last ones a short one. */
static void strip_lines(void *state, const void *x, i64 pitch, u64 first, size_t n) {
  struct strip *s = state;
  const char *at = x;
  (void)first;
  for (; n >= DESC_CHUNK; n -= DESC_CHUNK, at += DESC_CHUNK * pitch) strip_chunk(s, at, pitch);
  if (!n) return;
  s->some = true;
  strip_append(s, s->chunks, 0);
  s->chunks = 0;
  s->some = false;
  if (strip_short(s, at, pitch, n)) return;
  s->some = true;
  (void)strip_short(s, at, pitch, n);
}

DESC_INLINE void figures_as(const struct strip *s, f64 *to, bool skip, bool squares) {
  const vf64 none = (vf64){0} + hd_f64_of_bits(HD_NAN_F64);
  for (size_t i = 0; i < s->width; i += LANES64) {
    const vf64 n = load_f64_f64(s->acc + STRIP_N * s->wide + i);
    const vf64 mean = load_f64_f64(s->acc + STRIP_MEAN * s->wide + i);
    const vf64 v = squares ? load_f64_f64(s->acc + STRIP_M2 * s->wide + i) / n : mean;
    vi64 lost = (n == 0) | (v != v);
    if (!skip) lost |= load_i64_i64(s->nan + i) != 0;
    const vf64 figure = select_f64(lost, none, v);
    if (i + LANES64 <= s->width)
      node_store(to + i, figure);
    else
      memcpy(to + i, &figure, (s->width - i) * sizeof *to);
  }
}
/* The variance of each column, or the mean. */
static void strip_figures(void *state, f64 *to) {
  struct strip *s = state;
  s->some = true;
  strip_append(s, s->chunks, 0);
  if (s->skip)
    s->squares ? figures_as(s, to, true, true) : figures_as(s, to, true, false);
  else
    s->squares ? figures_as(s, to, false, true) : figures_as(s, to, false, false);
}

static void strip_finish(void *state, void *totals) {
  struct strip *s = state;
  struct hd_moments *out = totals;
  s->some = true;
  strip_append(s, s->chunks, 0);
  for (size_t c = 0; c < s->width; c++) {
    const f64 *p = s->acc + c;
    hd_moments_empty(&out[c]);
    out[c].n = p[STRIP_N * s->wide], out[c].mean = p[STRIP_MEAN * s->wide];
    if (s->squares) out[c].m2 = p[STRIP_M2 * s->wide];
    if (s->rest) out[c].m3 = p[STRIP_M3 * s->wide], out[c].sum = p[STRIP_SUM * s->wide];
    out[c].min_key = s->least[c], out[c].max_key = s->most[c];
    out[c].nan = s->nan[c], out[c].infinite = s->infinite[c];
  }
}

#endif
