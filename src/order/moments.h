/* moments.h - merging the moments of two runs of values (rule 9)
 *
 * Chan, Golub and LeVeque 1979 for M2; Pebay 2008 for M3. The parentheses are the order: every
 * back end evaluates exactly these expressions, unfused. The mean of finite values is finite, also
 * where their sum or the distance of two means is not. C and CUDA C++ both read it. The one copy of
 * the expressions is in cpu/fold/describe/node.h, which runs them over vectors of moments; where those
 * are of one size, divisions are exact products. */
#ifndef HEDDLE_ORDER_MOMENTS_H
#define HEDDLE_ORDER_MOMENTS_H

#include "float_bits.h"

/* Rule 9. n counts the values that take part, nan and infinite what was seen of those. */
struct hd_moments {
  f64 n, mean, m2, m3, sum;
  i64 min_key, max_key; /* of f64 */
  u64 nan, infinite;
};

HD_FUNCTION void hd_moments_empty(struct hd_moments *out) {
  out->n = out->mean = out->m2 = out->m3 = 0;
  out->sum = -0.0;
  out->min_key = HD_I64_MAX, out->max_key = HD_I64_MIN;
  out->nan = out->infinite = 0;
}

HD_FUNCTION void hd_moments_one(struct hd_moments *out, f64 x, bool skip_nan) {
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

#define HD_F64_MAX 1.7976931348623157e308

/* The mean from the fold of values times 2^-11, which no chunk's values overflow. */
HD_FUNCTION f64 hd_moments_scaled_mean(f64 fold, f64 n) {
  const f64 mean = (fold / n) * 2048.0;
  return mean - mean == 0 ? mean : mean > 0 ? HD_F64_MAX : -HD_F64_MAX;
}

HD_FUNCTION bool hd_is_finite(f64 x) { return x - x == 0; }

/* *a = the moments of a's values followed by b's. */
HD_FUNCTION void hd_moments_merge(struct hd_moments *a, const struct hd_moments *b) {
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

/* ---- a mean or a variance alone ------------------------------------------------------------ */

/* What hd_moments has of them. A value that is not finite makes m2 NaN. */
struct hd_variance {
  f64 n, mean, m2;
};

/* x / n; a count that is a power of two has an inverse, which costs less than a division. */
HD_FUNCTION f64 hd_over_count(f64 x, f64 n) {
  const u64 bits = hd_bits_f64(n);
  return bits & 0xfffffffffffffu ? x / n : x * hd_f64_of_bits(0x7fe0000000000000u - bits);
}

/* hd_moments_merge without what nobody asks for. wide: values are so far apart that their distance may
 * not be finite, as f64 may be. */
HD_FUNCTION void hd_variance_merge(struct hd_variance *a, const struct hd_variance *b, bool wide) {
  if (b->n == 0) return;
  if (a->n == 0) {
    *a = *b;
    return;
  }
  const f64 n = a->n + b->n, delta = b->mean - a->mean, r = hd_over_count(delta, n);
  a->m2 = (a->m2 + b->m2) + (delta * r) * (a->n * b->n);
  if (wide && !hd_is_finite(delta) && hd_is_finite(a->mean) && hd_is_finite(b->mean))
    a->mean = a->mean * (a->n / n) + b->mean * (b->n / n);
  else
    a->mean = a->mean + r * b->n;
  a->n = n;
}

/* The variance of n values, given the population's: infinite or NaN if ddof leaves nothing. */
HD_FUNCTION f64 hd_variance_of(f64 population, f64 n, f64 ddof) {
  const f64 rest = n - ddof;
  return population * (n / (rest > 0 ? rest : 0.0));
}

/* HD_FIGURE_: numbers of heddle_figures, for a kernel. */
#define HD_FIGURE_MEAN 1
#define HD_FIGURE_VARIANCE 2
#define HD_FIGURE_DEVIATION 3
HD_FUNCTION f64 hd_variance_figure(const struct hd_variance *t, u32 figure, f64 ddof) {
  if (figure == HD_FIGURE_MEAN) return t->n == 0 ? hd_f64_of_bits(HD_NAN_F64) : t->mean;
  const f64 variance = hd_variance_of(t->m2 / t->n, t->n, ddof);
  return figure == HD_FIGURE_DEVIATION ? hd_sqrt(variance) : variance;
}

/* What was seen of the values that a holds besides: counts and extremes. */
HD_FUNCTION void hd_moments_count(struct hd_moments *a, const struct hd_moments *b) {
  a->min_key = b->min_key < a->min_key ? b->min_key : a->min_key;
  a->max_key = b->max_key > a->max_key ? b->max_key : a->max_key;
  a->nan += b->nan;
  a->infinite += b->infinite;
}

#ifdef __CUDACC_RTC__
struct hd_description { /* heddle.h has it, and says what it is */
  u64 size, count, nan, infinite;
  f64 min, max, sum, mean, variance, skewness;
};
#define HD_DESCRIPTION struct hd_description
#else
#include <heddle.h>
#define HD_DESCRIPTION struct heddle_description
_Static_assert(sizeof(struct heddle_description) == 4 * sizeof(u64) + 6 * sizeof(f64),
               "struct hd_description of kernels");
#endif

/* No figure but counts and the sum: there is no value, or NaN that is not skipped. */
HD_FUNCTION bool hd_moments_lost(const struct hd_moments *m, bool skip_nan) {
  return m->n == 0 || (m->nan && !skip_nan);
}

/* What heddle_describe says of `count` elements whose total is *m. */
HD_FUNCTION void hd_moments_describe(const struct hd_moments *m, u64 count, bool skip_nan,
                                     HD_DESCRIPTION *out) {
  const f64 nan = hd_f64_of_bits(HD_NAN_F64);
  const bool lost = hd_moments_lost(m, skip_nan);
  const f64 variance = hd_canonical_f64(m->m2 / m->n);
  const bool flat = lost || variance == 0;
  out->size = sizeof *out;
  out->count = count;
  out->nan = m->nan;
  out->infinite = m->infinite;
  out->min = lost ? nan : hd_f64_of_key(m->min_key);
  out->max = lost ? nan : hd_f64_of_key(m->max_key);
  out->sum = m->n == 0 ? 0.0 : hd_canonical_f64(m->sum);
  out->mean = lost ? nan : hd_canonical_f64(m->mean);
  out->variance = lost ? nan : variance;
  out->skewness = flat ? nan : hd_canonical_f64((m->m3 / m->n) / (variance * hd_sqrt(variance)));
}

#endif
