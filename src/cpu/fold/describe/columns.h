/* columns.h - the moments of a strip of neighbouring columns, down their lines (rule 9)
 *
 * Result    of struct hd_cpu_fold_strips: the totals of describe_tmpl.h's kernels, one a column
 * Method    A few lines at a time become f64 in a block. A full chunk's lanes, of 16 lines each, are
 *           folded in registers; then the powers about the means, from the same lines in the cache. A short chunk's lines are
 *           folded by eight, and by a counter. A column whose chunk has no finite sum is gathered and
 *           left to chunk.h
 * Limits    a short chunk with NaN, infinities or numbers that are far apart is begun again, with nodes
 *           that count their values */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_COLUMNS_H
#define HEDDLE_CPU_FOLD_DESCRIBE_COLUMNS_H

#include "tail.h"

enum {
  STRIP_MOST = 128,    /* columns */
  STRIP_AHEAD = 4,     /* lanes fetched before they are read */
  STRIP_EIGHT = 8,     /* lines of a leaf */
  STRIP_LONGEST = 256, /* rows without gaps that are as well taken as columns */
  STRIP_SLOTS = 64,    /* of the counter: chunks, or a short chunk's lines */
};

/* `width` columns of n lines, `apart` and `pitch` bytes from each other, become f64 in lines of `wide`;
 * what lies `ahead` is fetched. True: full nodes may have them all (node.h). */
typedef bool spread_function(const char *x, i64 pitch, i64 apart, size_t n, size_t width, f64 *to,
                             size_t wide, i64 ahead);

/* Columns of a strip: 256 bytes of a line, as far as that leaves enough of them and not too many. */
#define STRIP_COLUMNS(bytes) ((bytes) > 4 ? 32 : (bytes) == 4 ? 64 : STRIP_MOST)

/* What a kernel's name asks for. */
enum {
  squares_mean = 0,
  squares_variance = 1,
  squares_describe = 1,
  rest_mean = 0,
  rest_variance = 0,
  rest_describe = 1
};

/* Parts of a node lie `wide` apart. */
enum { STRIP_MEAN, STRIP_N, STRIP_M2, STRIP_M3, STRIP_SUM, STRIP_PARTS };

struct strip {
  spread_function *spread;
  chunk_function *gathered;
  i64 apart;          /* bytes between columns */
  size_t width, wide; /* columns; the same in whole vectors */
  bool skip, squares, rest, some, any;
  u64 chunks;
  f64 size; /* of the nodes that the counter merges next */
  f64 *slot[STRIP_SLOTS], *spare, *acc;
  i64 least[STRIP_MOST + LANES64], most[STRIP_MOST + LANES64];
  u64 nan[STRIP_MOST + LANES64], infinite[STRIP_MOST + LANES64];
  f64 block[HD_CHUNK_ROWS * (STRIP_MOST + LANES64)];
  f64 two[DESC_ROW * (STRIP_MOST + LANES64)], three[DESC_ROW * (STRIP_MOST + LANES64)]; /* lanes */
  f64 node[(STRIP_SLOTS + 2) * STRIP_PARTS * (STRIP_MOST + LANES64)];
};

/* Lines that lie a multiple of a page apart do not fit the first cache together, which is for others. */
DESC_INLINE void strip_fetch(const char *x, size_t bytes, bool near) {
  for (size_t b = 0; b < bytes; b += 64)
    if (near)
      __builtin_prefetch(x + b);
    else
      __builtin_prefetch(x + b, 0, 2);
}

/* ---- nodes --------------------------------------------------------------------------------------- */

DESC_INLINE struct moments_node strip_load(const f64 *p, size_t wide, bool some, bool squares,
                                           bool rest) {
  struct moments_node to;
  to.mean = load_f64_f64(p + STRIP_MEAN * wide);
  if (some) to.n = load_f64_f64(p + STRIP_N * wide);
  if (squares) to.m2 = load_f64_f64(p + STRIP_M2 * wide);
  if (rest) to.m3 = load_f64_f64(p + STRIP_M3 * wide);
  if (rest) to.sum = load_f64_f64(p + STRIP_SUM * wide);
  return to;
}
DESC_INLINE void strip_put(f64 *p, size_t wide, struct moments_node v, bool some, bool squares,
                           bool rest) {
  node_store(p + STRIP_MEAN * wide, v.mean);
  if (some) node_store(p + STRIP_N * wide, v.n);
  if (squares) node_store(p + STRIP_M2 * wide, v.m2);
  if (rest) node_store(p + STRIP_M3 * wide, v.m3);
  if (rest) node_store(p + STRIP_SUM * wide, v.sum);
}

DESC_INLINE void merge_as(f64 *a, const f64 *b, size_t wide, f64 size, bool some, bool squares,
                          bool rest) {
  for (size_t i = 0; i < wide; i += LANES64) {
    const struct moments_node left = strip_load(a + i, wide, some, squares, rest);
    const struct moments_node right = strip_load(b + i, wide, some, squares, rest);
    strip_put(a + i, wide, node_merge(left, right, size, some, squares, rest), some, squares, rest);
  }
}
static __attribute__((noinline)) void strip_merge(const struct strip *s, f64 *a, const f64 *b,
                                                  bool some, f64 size) {
  if (s->rest)
    some ? merge_as(a, b, s->wide, size, true, true, true)
         : merge_as(a, b, s->wide, size, false, true, true);
  else if (s->squares)
    some ? merge_as(a, b, s->wide, size, true, true, false)
         : merge_as(a, b, s->wide, size, false, true, false);
  else
    some ? merge_as(a, b, s->wide, size, true, false, false)
         : merge_as(a, b, s->wide, size, false, false, false);
}

static f64 *strip_both(struct strip *s, f64 *a, const f64 *b) {
  strip_merge(s, a, b, s->some, s->size);
  s->size *= 2;
  return a;
}
/* A node that is kept changes places with the slot's, whose content is spent. */
static void strip_keep(struct strip *s, u32 level, f64 *node) {
  f64 **from = level && s->slot[level - 1] == node ? &s->slot[level - 1] : &s->spare;
  if (s->slot[level] == node) return;
  *from = s->slot[level], s->slot[level] = node;
}

#define BLOCKS_NAME strip
#define BLOCKS_COUNTER struct strip
#define BLOCKS_T f64 *
#define BLOCKS_OP(k, a, b) strip_both(k, a, b)
#define BLOCKS_SLOT(k, i) (k)->slot[i]
#define BLOCKS_KEEP(k, i, t) strip_keep(k, i, t)
#include "order/blocks_tmpl.h"

/* acc = acc and then the blocks of 2^k items, `size` values an item, that the bits of n name. */
static void strip_append(struct strip *s, u64 n, f64 size) {
  for (; n; n ^= (u64)1 << hd_top_bit(n)) {
    const u32 level = hd_top_bit(n);
    f64 *block = s->slot[level], *count = block + STRIP_N * s->wide;
    if (!s->some)
      for (size_t i = 0; i < s->wide; i++) count[i] = size * (f64)((u64)1 << level);
    if (s->any)
      strip_merge(s, s->acc, block, true, 0);
    else
      memcpy(s->acc, block, STRIP_PARTS * s->wide * sizeof(f64));
    s->any = true;
  }
}

/* ---- a short chunk ------------------------------------------------------------------------------- */

/* Keys of the extremes and counts of n lines of the block. */
static void strip_count(struct strip *s, size_t n) {
  for (size_t i = 0; i < s->wide; i += LANES64) {
    vi64 least = load_i64_i64(s->least + i), most = load_i64_i64(s->most + i);
    vu64 nan = load_u64_u64(s->nan + i), infinite = load_u64_u64(s->infinite + i);
    for (size_t r = 0; r < n; r++) {
      const vf64 e = load_f64_f64(s->block + r * s->wide + i);
      least = lesser_i64(least, key_f64(e, INT64_MAX));
      most = greater_i64(most, key_f64(e, INT64_MIN));
      nan -= (vu64)(e != e);
      infinite -= (vu64)((e == e) & ~node_finite(e));
    }
    memcpy(s->least + i, &least, sizeof least), memcpy(s->most + i, &most, sizeof most);
    memcpy(s->nan + i, &nan, sizeof nan), memcpy(s->infinite + i, &infinite, sizeof infinite);
  }
}

DESC_INLINE struct moments_node strip_two(const f64 *x, size_t wide, bool skip, bool some,
                                          bool squares, bool rest) {
  const struct moments_node a = node_leaf(x, skip, some, squares, rest);
  return node_merge(a, node_leaf(x + wide, skip, some, squares, rest), 1, some, squares, rest);
}
DESC_INLINE struct moments_node strip_four(const f64 *x, size_t wide, bool skip, bool some,
                                           bool squares, bool rest) {
  const struct moments_node a = strip_two(x, wide, skip, some, squares, rest);
  return node_merge(a, strip_two(x + 2 * wide, wide, skip, some, squares, rest), 2, some, squares,
                    rest);
}
DESC_INLINE void eight_as(const struct strip *s, f64 *to, bool some, bool squares, bool rest) {
  for (size_t i = 0; i < s->wide; i += LANES64) {
    const f64 *x = s->block + i;
    const struct moments_node a = strip_four(x, s->wide, s->skip, some, squares, rest);
    const struct moments_node b =
        strip_four(x + 4 * s->wide, s->wide, s->skip, some, squares, rest);
    strip_put(to + i, s->wide, node_merge(a, b, 4, some, squares, rest), some, squares, rest);
  }
}
DESC_INLINE void one_as(const struct strip *s, const f64 *x, f64 *to, bool some, bool squares,
                        bool rest) {
  for (size_t i = 0; i < s->wide; i += LANES64)
    strip_put(to + i, s->wide, node_leaf(x + i, s->skip, some, squares, rest), some, squares, rest);
}
static __attribute__((noinline)) void strip_eight(const struct strip *s, f64 *to) {
  if (s->rest)
    s->some ? eight_as(s, to, true, true, true) : eight_as(s, to, false, true, true);
  else if (s->squares)
    s->some ? eight_as(s, to, true, true, false) : eight_as(s, to, false, true, false);
  else
    s->some ? eight_as(s, to, true, false, false) : eight_as(s, to, false, false, false);
}
static void strip_one(const struct strip *s, const f64 *x, f64 *to) {
  if (s->rest)
    s->some ? one_as(s, x, to, true, true, true) : one_as(s, x, to, false, true, true);
  else if (s->squares)
    s->some ? one_as(s, x, to, true, true, false) : one_as(s, x, to, false, true, false);
  else
    s->some ? one_as(s, x, to, true, false, false) : one_as(s, x, to, false, false, false);
}

/* The n lines of a short chunk into the counter; false if nodes have to count their values. */
static bool strip_short(struct strip *s, const char *x, i64 pitch, size_t n) {
  for (size_t at = 0; at < n;) {
    const size_t left = n - at, lines = left < STRIP_EIGHT ? left : STRIP_EIGHT;
    const bool plain = s->spread(x + (i64)at * pitch, pitch, s->apart, lines, s->width, s->block,
                                 s->wide, left < 2 * STRIP_EIGHT ? 0 : STRIP_EIGHT * pitch);
    if (!s->some && !plain) return false;
    if (s->some || s->rest) strip_count(s, lines);
    if (lines == STRIP_EIGHT) {
      s->size = STRIP_EIGHT;
      strip_eight(s, s->spare);
      (void)strip_push(s, at, 3, s->spare);
      at += STRIP_EIGHT;
      continue;
    }
    for (size_t r = 0; r < lines; r++, at++) {
      s->size = 1;
      strip_one(s, s->block + r * s->wide, s->spare);
      (void)strip_push(s, at, 0, s->spare);
    }
  }
  return true;
}

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
  s->gathered((const char *)room, s->skip, &m);
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
  for (size_t c = 0; c < s->wide; c++) {
    s->least[c] = INT64_MAX, s->most[c] = INT64_MIN;
    s->nan[c] = s->infinite[c] = 0;
  }
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
  if (!strip_short(s, at, pitch, n)) {
    s->some = true;
    (void)strip_short(s, at, pitch, n);
  }
  strip_append(s, n, 1);
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
