/* strip_short.h - fewer lines of a strip than a chunk has (rule 9)
 *
 * Method    Eight lines are a leaf of the counter; fewer that are left go onto the total in registers
 * Limits    lines with NaN, infinities or numbers that are far apart are begun again, with nodes that count
 *           their values */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_STRIP_SHORT_H
#define HEDDLE_CPU_FOLD_DESCRIBE_STRIP_SHORT_H

#include "strip.h"

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
static __attribute__((noinline)) void strip_eight(const struct strip *s, f64 *to) {
  if (s->rest)
    s->some ? eight_as(s, to, true, true, true) : eight_as(s, to, false, true, true);
  else if (s->squares)
    s->some ? eight_as(s, to, true, true, false) : eight_as(s, to, false, true, false);
  else
    s->some ? eight_as(s, to, true, false, false) : eight_as(s, to, false, false, false);
}
/* acc = acc and then the first n < 8 lines of the block: four of them, two and one, as far as n has them. */
DESC_INLINE void few_as(struct strip *s, size_t n, bool some, bool squares, bool rest) {
  for (size_t i = 0; i < s->wide; i += LANES64) {
    const f64 *x = s->block + i;
    struct moments_node to = {.n = {0}};
    bool any = s->any;
    if (any) to = strip_load(s->acc + i, s->wide, true, squares, rest);
    for (size_t lines = STRIP_EIGHT / 2; lines; lines /= 2) {
      if (!(n & lines)) continue;
      struct moments_node next = lines == 4   ? strip_four(x, s->wide, s->skip, some, squares, rest)
                                 : lines == 2 ? strip_two(x, s->wide, s->skip, some, squares, rest)
                                              : node_leaf(x, s->skip, some, squares, rest);
      if (!some) next.n = (vf64){0} + (f64)lines;
      to = any ? node_merge(to, next, 0, true, squares, rest) : next;
      any = true;
      x += lines * s->wide;
    }
    strip_put(s->acc + i, s->wide, to, true, squares, rest);
  }
}
static __attribute__((noinline)) void strip_few(struct strip *s, size_t n) {
  if (s->rest)
    s->some ? few_as(s, n, true, true, true) : few_as(s, n, false, true, true);
  else if (s->squares)
    s->some ? few_as(s, n, true, true, false) : few_as(s, n, false, true, false);
  else
    s->some ? few_as(s, n, true, false, false) : few_as(s, n, false, false, false);
  s->any = true;
}

/* The next lines of a short chunk into the block. False: nodes have to count their values, and do not. */
static bool strip_read(struct strip *s, const char *x, i64 pitch, size_t lines, i64 ahead) {
  const bool plain = s->spread(x, pitch, s->apart, lines, s->width, s->block, s->wide, ahead);
  if (!s->some && !plain) return false;
  if (s->some || s->rest) strip_count(s, lines);
  return true;
}

/* acc = acc and then the n lines of a short chunk. False: as strip_read; acc is as it was. */
static bool strip_short(struct strip *s, const char *x, i64 pitch, size_t n) {
  const size_t few = n % STRIP_EIGHT, eights = n - few;
  for (size_t at = 0; at < eights; at += STRIP_EIGHT, x += STRIP_EIGHT * pitch) {
    if (!strip_read(s, x, pitch, STRIP_EIGHT, n - at < 2 * STRIP_EIGHT ? 0 : STRIP_EIGHT * pitch))
      return false;
    s->size = STRIP_EIGHT;
    strip_eight(s, s->spare);
    (void)strip_push(s, at, 3, s->spare);
  }
  if (few && !strip_read(s, x, pitch, few, 0)) return false;
  strip_append(s, eights, 1);
  if (few) strip_few(s, few);
  return true;
}

#endif
