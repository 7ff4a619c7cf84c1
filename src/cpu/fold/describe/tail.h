/* tail.h - the moments of fewer elements than a chunk, by levels of the tree
 *
 * Result    *acc = *acc and then the aligned blocks that the binary digits of n name, largest first
 *           (rule 5). tail_mean, tail_variance, tail_describe: as in chunk.h
 * Method    Rule 5 pairs neighbours, again and again. All pairs of a level are of one size, so that
 *           order/moments.h's expressions run in vectors over a level, their divisions by powers of two
 *           as exact products; where NaN are skipped, nodes count their values, and divide
 * Limits    no numbers of which two could be too far apart for f64: these go one by one */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_TAIL_H
#define HEDDLE_CPU_FOLD_DESCRIBE_TAIL_H

#include "cpu/vec/pairs.h"
#include "node.h"

enum { TAIL_MOST = DESC_CHUNK, TAIL_BLOCKS = 10, TAIL_EIGHT = 8 * LANES64 };

/* The nodes of a level, in the place of the level before. A vector may begin at the last one, and eight of means. */
struct tail_level {
  _Alignas(64) f64 mean[TAIL_MOST + TAIL_EIGHT];
  f64 n[TAIL_MOST + 2 * LANES64], m2[TAIL_MOST + 2 * LANES64];
  f64 sum[TAIL_MOST + 2 * LANES64], m3[TAIL_MOST + 2 * LANES64];
};

/* The left nodes of a vector of pairs, and the right ones. */
DESC_INLINE void tail_load(const f64 *x, vf64 *a, vf64 *b) {
  const vf64 low = load_f64_f64(x), high = load_f64_f64(x + LANES64);
  *a = even_lanes(low, high), *b = odd_lanes(low, high);
}

/* Nodes 2 i and 2 i + 1 become node i; full ones have `size` values each. */
DESC_INLINE void tail_merge(struct tail_level *t, size_t pairs, f64 size, bool some, bool squares,
                            bool rest) {
  for (size_t i = 0; i < pairs; i += LANES64) {
    struct moments_node a, b;
    tail_load(t->mean + 2 * i, &a.mean, &b.mean);
    if (some) tail_load(t->n + 2 * i, &a.n, &b.n);
    if (squares) tail_load(t->m2 + 2 * i, &a.m2, &b.m2);
    if (rest) tail_load(t->m3 + 2 * i, &a.m3, &b.m3);
    if (rest) tail_load(t->sum + 2 * i, &a.sum, &b.sum);
    a = node_merge(a, b, size, some, squares, rest);
    node_store(t->mean + i, a.mean);
    if (some) node_store(t->n + i, a.n);
    if (squares) node_store(t->m2 + i, a.m2);
    if (rest) node_store(t->m3 + i, a.m3);
    if (rest) node_store(t->sum + i, a.sum);
  }
}

/* ---- means alone: three levels at a time, in registers ------------------------------------------------ */

DESC_INLINE vf64 tail_mean_of(vf64 a, vf64 b, f64 size) {
  const struct moments_node left = {.mean = a}, right = {.mean = b};
  return node_merge_full(left, right, size, false, false).mean;
}

/* Of 2 and of 4 nodes; `size` values each. */
DESC_INLINE f64 tail_mean_of_two(const f64 *x, f64 size) {
  return tail_mean_of((vf64){0} + x[0], (vf64){0} + x[1], size)[0];
}
DESC_INLINE f64 tail_mean_of_four(const f64 *x, f64 size) {
  const f64 two[] = {tail_mean_of_two(x, size), tail_mean_of_two(x + 2, size)};
  return tail_mean_of_two(two, 2 * size);
}

/* A vector of means of eight nodes each. */
DESC_INLINE vf64 tail_means_of_eight(const f64 *x, f64 size) {
  vf64 two[4], four[2], a, b;
  for (size_t k = 0; k < 4; k++) {
    pairs_first(load_f64_f64(x + 2 * k * LANES64), load_f64_f64(x + (2 * k + 1) * LANES64), &a, &b);
    two[k] = tail_mean_of(a, b, size);
  }
  for (size_t k = 0; k < 2; k++) {
    pairs_second(two[2 * k], two[2 * k + 1], &a, &b);
    four[k] = tail_mean_of(a, b, 2 * size);
  }
  pairs_third(four[0], four[1], &a, &b);
  return pairs_in_order(tail_mean_of(a, b, 4 * size));
}

DESC_INLINE void tail_put(struct hd_moments *m, f64 n, f64 mean) {
  hd_moments_empty(m);
  m->n = n, m->mean = mean;
}

/* Eight nodes become one, as long as they are vectors; of the others blocks are left. Their number; *nodes and
 * *size become those of the next level. */
DESC_INLINE size_t tail_tree_of_means(struct tail_level *t, size_t *nodes, f64 *size,
                                      struct hd_moments *left) {
  size_t depth = 0;
  for (; *nodes >= TAIL_EIGHT; *nodes /= 8, *size *= 8) {
    const size_t few = *nodes % 8;
    const f64 *x = t->mean + *nodes - few;
    if (few & 1) tail_put(&left[TAIL_BLOCKS - ++depth], *size, x[few - 1]);
    if (few & 2)
      tail_put(&left[TAIL_BLOCKS - ++depth], 2 * *size, tail_mean_of_two(x + (few & 4), *size));
    if (few & 4) tail_put(&left[TAIL_BLOCKS - ++depth], 4 * *size, tail_mean_of_four(x, *size));
    for (size_t i = 0; i < *nodes / 8; i += LANES64)
      node_store(t->mean + i, tail_means_of_eight(t->mean + 8 * i, *size));
  }
  return depth;
}

/* left[TAIL_BLOCKS - depth..] = the totals of the blocks of n elements, whose number is returned. */
DESC_INLINE size_t tail_tree(struct tail_level *t, size_t n, bool some, bool squares, bool rest,
                             struct hd_moments *left) {
  size_t depth = 0;
  f64 size = 1;
  if (!some && !squares && !rest) depth = tail_tree_of_means(t, &n, &size, left);
  for (size_t nodes = n; nodes; nodes /= 2, size *= 2) {
    if (nodes & 1) {
      struct hd_moments *m = &left[TAIL_BLOCKS - ++depth];
      hd_moments_empty(m);
      m->n = some ? t->n[nodes - 1] : size;
      m->mean = t->mean[nodes - 1];
      if (squares) m->m2 = t->m2[nodes - 1];
      if (rest) m->m3 = t->m3[nodes - 1], m->sum = t->sum[nodes - 1];
    }
    tail_merge(t, nodes / 2, size, some, squares, rest);
  }
  return depth;
}

/* What the n elements of t->mean are, padded by zeros: whether one is too large for the tree, how many
 * are NaN. */
DESC_INLINE bool tail_look(const struct tail_level *t, size_t n, u64 *nan) {
  vi64 large = {0}, nans = {0};
  bool any = false;
  *nan = 0;
  for (size_t i = 0; i < n; i += LANES64) {
    const vf64 e = load_f64_f64(t->mean + i);
    large |= (e >= 0x1p1022) | (e <= -0x1p1022);
    nans += e != e;
  }
  for (int j = 0; j < LANES64; j++) any = any || large[j], *nan -= (u64)nans[j];
  return any;
}

/* Level 0 of the tree. */
DESC_INLINE void tail_start(struct tail_level *t, size_t n, bool some, bool squares, bool rest) {
  const size_t bytes = (n + 2 * LANES64) * sizeof(f64);
  if (rest) memcpy(t->sum, t->mean, bytes);
  if (squares || some) memset(t->m2, 0, bytes);
  if (rest) memset(t->m3, 0, bytes);
  if (!some) return;
  for (size_t i = 0; i < n + 2 * LANES64; i += LANES64) {
    const vf64 e = load_f64_f64(t->mean + i), none = (vf64){0};
    node_store(t->n + i, select_f64(e == e, none + 1, none));
    node_store(t->mean + i, select_f64(e == e, e, none));
    if (rest) node_store(t->sum + i, keep_f64(e, -0.0));
  }
}

/* Elements of which some are too large, or a single one. */
static __attribute__((noinline)) void tail_each(const f64 *x, size_t n, bool skip,
                                                struct hd_moments *acc) {
  struct moments_stack k;
  struct hd_moments one;
  for (size_t i = 0; i < n; i++) {
    hd_moments_one(&one, x[i], skip);
    if (n == 1) break; /* no stack, whose copies its time would show */
    moments_push(&k, i, 0, one);
  }
  if (n == 1)
    hd_moments_merge(acc, &one);
  else
    *acc = moments_onto(&k, n, *acc);
}

/* The elements come as t->mean[0..n), with TAIL_EIGHT zeros behind them; `plain` ones are numbers, and none of
 * them is too large for the tree. */
DESC_INLINE void tail_moments(struct tail_level *t, size_t n, bool plain, bool skip, bool squares,
                              bool rest, struct hd_moments *acc) {
  struct hd_moments left[TAIL_BLOCKS], counts;
  u64 nan = 0;
  if ((!plain && tail_look(t, n, &nan)) || n == 1) {
    tail_each(t->mean, n, skip, acc);
    return;
  }
  hd_moments_empty(&counts);
  if (rest) count_each((const char *)t->mean, n, &counts);
  counts.nan = nan;
  const bool some = skip && nan;
  tail_start(t, n, some, squares, rest);
  const size_t depth = some ? tail_tree(t, n, true, squares, rest, left)
                            : tail_tree(t, n, false, squares, rest, left);
  for (size_t i = TAIL_BLOCKS - depth; i < TAIL_BLOCKS; i++) hd_moments_merge(acc, &left[i]);
  hd_moments_count(acc, &counts);
}

typedef void tail_function(struct tail_level *t, size_t n, bool plain, bool skip,
                           struct hd_moments *acc);

static __attribute__((noinline)) void tail_mean(struct tail_level *t, size_t n, bool plain,
                                                bool skip, struct hd_moments *acc) {
  tail_moments(t, n, plain, skip, false, false, acc);
}
static __attribute__((noinline)) void tail_variance(struct tail_level *t, size_t n, bool plain,
                                                    bool skip, struct hd_moments *acc) {
  tail_moments(t, n, plain, skip, true, false, acc);
}
static __attribute__((noinline)) void tail_describe(struct tail_level *t, size_t n, bool plain,
                                                    bool skip, struct hd_moments *acc) {
  tail_moments(t, n, plain, skip, true, true, acc);
}

#endif
