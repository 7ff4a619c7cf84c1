/* moments.h - merging the moments of two runs of values (rule 9)
 *
 * Chan, Golub and LeVeque 1979 for M2; Pebay 2008 for M3. The parentheses are the order: every
 * back end evaluates exactly these expressions, unfused. The mean of finite values is finite, also
 * where their sum or the distance of two means is not. */
#ifndef HEDDLE_ORDER_MOMENTS_H
#define HEDDLE_ORDER_MOMENTS_H

#include "float_bits.h"

/* Rule 9. n counts the values that take part, nan and infinite what was seen of those. */
struct hd_moments {
  f64 n, mean, m2, m3, sum;
  i64 min_key, max_key; /* of f64 */
  u64 nan, infinite;
};

static inline void hd_moments_empty(struct hd_moments *out) {
  *out = (struct hd_moments){0, 0, 0, 0, -0.0, INT64_MAX, INT64_MIN, 0, 0};
}

static inline void hd_moments_one(struct hd_moments *out, f64 x, bool skip_nan) {
  hd_moments_empty(out);
  if (x != x) {
    out->nan = 1;
    if (skip_nan) return;
  } else {
    out->min_key = out->max_key = hd_key_of_f64(x);
    out->infinite = x - x != 0;
  }
  out->n = 1;
  out->mean = out->sum = x;
}

/* The mean from the fold of values times 2^-11, which no chunk's values overflow. */
static inline f64 hd_moments_scaled_mean(f64 fold, f64 n) {
  const f64 mean = (fold / n) * 0x1p11;
  return mean - mean == 0 ? mean : mean > 0 ? 0x1.fffffffffffffp1023 : -0x1.fffffffffffffp1023;
}

static inline bool hd_is_finite(f64 x) { return x - x == 0; }

/* *a = the moments of a's values followed by b's. */
static inline void hd_moments_merge(struct hd_moments *a, const struct hd_moments *b) {
  a->sum = a->sum + b->sum;
  a->min_key = b->min_key < a->min_key ? b->min_key : a->min_key;
  a->max_key = b->max_key > a->max_key ? b->max_key : a->max_key;
  a->nan += b->nan;
  a->infinite += b->infinite;
  if (b->n == 0) return;
  if (a->n == 0) {
    a->n = b->n, a->mean = b->mean, a->m2 = b->m2, a->m3 = b->m3;
    return;
  }
  f64 n = a->n + b->n, delta = b->mean - a->mean, r = delta / n;
  f64 t = delta * r, u = a->n * b->n;
  f64 m3 = ((a->m3 + b->m3) + ((t * r) * u) * (a->n - b->n)) +
           (3 * r) * ((a->n * b->m2) - (b->n * a->m2));
  a->m2 = (a->m2 + b->m2) + t * u;
  a->m3 = m3;
  if (!hd_is_finite(delta) && hd_is_finite(a->mean) && hd_is_finite(b->mean))
    a->mean = a->mean * (a->n / n) + b->mean * (b->n / n);
  else
    a->mean = a->mean + r * b->n;
  a->n = n;
}

#endif
