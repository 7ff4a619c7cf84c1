/* describe_tail.h - the moments of fewer elements than a chunk, by levels of the tree
 *
 * Result    left[0..], the totals of the aligned blocks that the binary digits of n name, largest
 *           first: sum, mean, m2, m3 and n. Extremes and counts are the caller's
 * Method    Rule 5 pairs neighbours, again and again. All pairs of a level are of one size, so that
 *           order/moments.h's expressions run in vectors over a level, their divisions by powers of two
 *           as exact products
 * Limits    no NaN among the elements, and none of which two could be too far apart for f64: these go
 *           one by one */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_TAIL_H
#define HEDDLE_CPU_FOLD_DESCRIBE_TAIL_H

#include "order/moments.h"
#include "order/numbers.h"

enum { TAIL_MOST = HD_CHUNK(8), TAIL_LEAST = 16 /* fewer are not worth it */ };

/* The nodes of one level. */
struct tail_level {
  _Alignas(64) f64 sum[TAIL_MOST], mean[TAIL_MOST], m2[TAIL_MOST], m3[TAIL_MOST];
};

/* Nodes 2 i and 2 i + 1 of `from`, each of `size` values, become node i of `to`. */
static inline void tail_merge(struct tail_level *restrict to,
                              const struct tail_level *restrict from, size_t pairs, f64 size) {
  const f64 part = 0.5 / size, square = size * size;
  for (size_t i = 0; i < pairs; i++) {
    const f64 a2 = from->m2[2 * i], b2 = from->m2[2 * i + 1];
    const f64 mean = from->mean[2 * i], delta = from->mean[2 * i + 1] - mean;
    const f64 r = delta * part, t = delta * r;
    const f64 a3 = from->m3[2 * i], b3 = from->m3[2 * i + 1];
    to->m3[i] =
        ((a3 + b3) + ((t * r) * square) * (size - size)) + (3 * r) * ((size * b2) - (size * a2));
    to->m2[i] = (a2 + b2) + t * square;
    to->mean[i] = mean + r * size;
    to->sum[i] = from->sum[2 * i] + from->sum[2 * i + 1];
  }
}

static unsigned tail_tree(struct tail_level level[2], size_t n, struct hd_moments *left) {
  unsigned depth = 0, now = 0;
  for (size_t i = 0; i < n; i++) level[0].mean[i] = level[0].sum[i];
  memset(level[0].m2, 0, n * sizeof(f64));
  memset(level[0].m3, 0, n * sizeof(f64));
  for (size_t nodes = n, size = 1; nodes; nodes /= 2, size *= 2, now ^= 1) {
    if (nodes & 1) {
      struct hd_moments *m = &left[depth++];
      hd_moments_empty(m);
      m->n = (f64)size;
      m->sum = level[now].sum[nodes - 1], m->mean = level[now].mean[nodes - 1];
      m->m2 = level[now].m2[nodes - 1], m->m3 = level[now].m3[nodes - 1];
    }
    tail_merge(&level[now ^ 1], &level[now], nodes / 2, (f64)size);
  }
  for (unsigned i = 0; i < depth / 2; i++) {
    const struct hd_moments m = left[i];
    left[i] = left[depth - 1 - i], left[depth - 1 - i] = m;
  }
  return depth;
}

/* The least and the greatest of n numbers, and how many are infinite, into a total. */
static void tail_extremes(const f64 *x, size_t n, struct hd_moments *total) {
  i64 least = INT64_MAX, most = INT64_MIN;
  u64 infinite = 0;
  for (size_t i = 0; i < n; i++) {
    const i64 key = hd_key_of_f64(x[i]);
    least = key < least ? key : least;
    most = key > most ? key : most;
    infinite += x[i] - x[i] != 0;
  }
  total->min_key = least, total->max_key = most, total->infinite = infinite;
}

#endif
