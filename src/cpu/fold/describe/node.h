/* node.h - vectors of moments, and how two of them become one (rule 9)
 *
 * Method    order/moments.h's expressions, lane by lane. Of two nodes of one full size the divisions are
 *           exact products; else nodes count their values, and `some` is set
 * Limits    nodes of a full size: no two means are so far apart that f64 does not hold it */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_NODE_H
#define HEDDLE_CPU_FOLD_DESCRIBE_NODE_H

#include "chunk.h"

/* Parts that are not asked for are not set. */
struct moments_node {
  vf64 n, mean, m2, m3, sum;
};

DESC_INLINE void node_store(f64 *to, vf64 v) { memcpy(to, &v, sizeof v); }

/* Where full nodes may not have numbers of such magnitudes: of 2^1022 and more, or NaN, by their bits, which order
 * as magnitudes do. */
DESC_INLINE vi64 node_is_beyond(vf64 v) {
  return ((vi64)v & INT64_MAX) >= INT64_C(0x7fd0000000000000);
}

/* Of `size` values each. */
DESC_INLINE struct moments_node node_merge_full(struct moments_node a, struct moments_node b,
                                                f64 size, bool squares, bool rest) {
  const f64 part = 0.5 / size, square = size * size;
  const vf64 delta = b.mean - a.mean, r = delta * part;
  struct moments_node to;
  to.mean = a.mean + r * size;
  if (!squares) return to;
  const vf64 a2 = a.m2, b2 = b.m2, t = delta * r;
  to.m2 = (a2 + b2) + t * square;
  if (!rest) return to;
  const vf64 own = (a.m3 + b.m3) + ((t * r) * square) * (size - size);
  to.m3 = own + (3 * r) * ((size * b2) - (size * a2));
  to.sum = a.sum + b.sum;
  return to;
}

DESC_INLINE vi64 node_finite(vf64 v) { return (v - v) == 0; }

/* Of any sizes, any values. */
DESC_INLINE struct moments_node node_merge_some(struct moments_node a, struct moments_node b,
                                                bool squares, bool rest) {
  const vf64 an = a.n, bn = b.n, n = an + bn;
  const vf64 ma = a.mean, mb = b.mean, delta = mb - ma, r = delta / n;
  const vi64 no_a = an == 0, no_b = bn == 0;
  const vi64 apart = ~node_finite(delta) & node_finite(ma) & node_finite(mb);
  const vf64 mean = select_f64(apart, ma * (an / n) + mb * (bn / n), ma + r * bn);
  struct moments_node to;
  to.n = n;
  to.mean = select_f64(no_b, ma, select_f64(no_a, mb, mean));
  if (!squares) return to;
  const vf64 a2 = a.m2, b2 = b.m2, t = delta * r, u = an * bn;
  to.m2 = select_f64(no_b, a2, select_f64(no_a, b2, (a2 + b2) + t * u));
  if (!rest) return to;
  const vf64 a3 = a.m3, b3 = b.m3;
  const vf64 m3 = ((a3 + b3) + ((t * r) * u) * (an - bn)) + (3 * r) * ((an * b2) - (bn * a2));
  to.m3 = select_f64(no_b, a3, select_f64(no_a, b3, m3));
  to.sum = a.sum + b.sum;
  return to;
}

DESC_INLINE struct moments_node node_merge(struct moments_node a, struct moments_node b, f64 size,
                                           bool some, bool squares, bool rest) {
  return some ? node_merge_some(a, b, squares, rest) : node_merge_full(a, b, size, squares, rest);
}

/* A vector of elements that are nodes of their own; without `some` each counts. */
DESC_INLINE struct moments_node node_leaf(const f64 *x, bool skip, bool some, bool squares,
                                          bool rest) {
  const vf64 e = load_f64_f64(x), none = (vf64){0};
  const vi64 counts = skip ? e == e : (vi64)(none == none);
  struct moments_node to;
  to.mean = some ? select_f64(counts, e, none) : e;
  if (some) to.n = select_f64(counts, none + 1, none);
  if (squares) to.m2 = none;
  if (rest) to.m3 = none;
  if (rest) to.sum = some ? select_f64(counts, e, -none) : e;
  return to;
}

#endif
