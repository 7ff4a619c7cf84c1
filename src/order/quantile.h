/* quantile.h - from a share to ranks, and from the elements of ranks to a quantile
 *
 * Result   The thirteen methods of NumPy, whose arithmetic this is, step by step: finite elements of f64
 *          give the bits of numpy.quantile.
 * Method   A method places a share q of n elements at a virtual index, which lies at or between two ranks,
 *          a fraction t behind the lower one. What falls between is interpolated from the nearer end.
 * Limits   n below 2^53. Infinities, and numbers further apart than f64 reaches, have rules of their own,
 *          where NumPy has an infinity or a NaN.
 * Source   Hyndman and Fan 1996, Sample Quantiles in Statistical Packages
 *
 * C and CUDA C++ both read it. */
#ifndef HEDDLE_ORDER_QUANTILE_H
#define HEDDLE_ORDER_QUANTILE_H

#include "float_bits.h"

/* Numbers of heddle_quantile_method, for a kernel. */
#define HD_QUANTILE_LINEAR 0
#define HD_QUANTILE_INVERTED_CDF 1
#define HD_QUANTILE_AVERAGED_INVERTED_CDF 2
#define HD_QUANTILE_CLOSEST_OBSERVATION 3
#define HD_QUANTILE_INTERPOLATED_INVERTED_CDF 4
#define HD_QUANTILE_HAZEN 5
#define HD_QUANTILE_WEIBULL 6
#define HD_QUANTILE_MEDIAN_UNBIASED 8
#define HD_QUANTILE_NORMAL_UNBIASED 9
#define HD_QUANTILE_LOWER 10
#define HD_QUANTILE_HIGHER 11
#define HD_QUANTILE_MIDPOINT 12
#define HD_QUANTILE_NEAREST 13

/* Of n elements in order: the quantile is element `lower`, or lies the fraction t of the way to `upper`,
 * which is `lower` or the one behind it. */
struct hd_quantile_place {
  u64 lower, upper;
  f64 t;
};

HD_FUNCTION f64 hd_quantile_floor(f64 x) { /* |x| <= 2^53 */
  const f64 whole = (f64)(i64)x;
  return whole > x ? whole - 1 : whole;
}

/* A rank that is named by itself. */
HD_FUNCTION void hd_quantile_at(f64 index, u64 n, struct hd_quantile_place *out) {
  const u64 rank = index > 0 ? (u64)index : 0;
  out->lower = out->upper = rank < n ? rank : n - 1;
  out->t = 0;
}

/* The rank behind `index`, or at it where index is a whole number that `odd` does not forbid. */
HD_FUNCTION void hd_quantile_step(f64 index, bool odd, u64 n, struct hd_quantile_place *out) {
  const f64 before = hd_quantile_floor(index);
  const bool at = index == before && (!odd || ((i64)before & 1));
  hd_quantile_at(at ? before : before + 1, n, out);
}

/* alpha and beta of Hyndman and Fan. */
HD_FUNCTION f64 hd_quantile_index(f64 n, f64 q, f64 alpha, f64 beta) {
  return n * q + (alpha + q * (1 - alpha - beta)) - 1;
}

/* The ranks on both sides of a virtual index. */
HD_FUNCTION void hd_quantile_between(f64 index, u64 n, struct hd_quantile_place *out) {
  const f64 before = hd_quantile_floor(index);
  if (index >= (f64)(n - 1)) {
    out->lower = out->upper = n - 1;
    out->t = index + 1; /* NumPy's, which calls the last rank -1: it shows in the sign of a zero */
  } else if (index < 0) {
    out->lower = out->upper = 0;
    out->t = index;
  } else {
    out->lower = (u64)before;
    out->upper = (u64)before + 1;
    out->t = index - before;
  }
}

HD_FUNCTION void hd_quantile_midpoint(f64 index, u64 n, struct hd_quantile_place *out) {
  const f64 low = hd_quantile_floor(index), high = low == index ? low : low + 1;
  const f64 middle = 0.5 * (low + high);
  hd_quantile_between(middle, n, out);
  out->t = hd_quantile_floor(middle) == middle ? 0.0 : 0.5;
}

/* Half to even. */
HD_FUNCTION f64 hd_quantile_round(f64 x) {
  const f64 low = hd_quantile_floor(x), rest = x - low;
  return rest > 0.5 || (rest == 0.5 && ((i64)low & 1)) ? low + 1 : low;
}

/* 0 <= q <= 1, n > 0. */
HD_FUNCTION void hd_quantile_place(u32 method, u64 n, f64 q, struct hd_quantile_place *out) {
  const f64 count = (f64)n, last = (f64)(n - 1);
  switch (method) {
  case HD_QUANTILE_INVERTED_CDF: hd_quantile_step(count * q - 1, false, n, out); return;
  case HD_QUANTILE_CLOSEST_OBSERVATION: hd_quantile_step(count * q - 1 - 0.5, true, n, out); return;
  case HD_QUANTILE_AVERAGED_INVERTED_CDF:
    hd_quantile_between(count * q - 1, n, out);
    out->t = out->t == 0 ? 0.5 : 1.0;
    return;
  case HD_QUANTILE_INTERPOLATED_INVERTED_CDF:
    hd_quantile_between(hd_quantile_index(count, q, 0, 1), n, out);
    return;
  case HD_QUANTILE_HAZEN:
    hd_quantile_between(hd_quantile_index(count, q, 0.5, 0.5), n, out);
    return;
  case HD_QUANTILE_WEIBULL: hd_quantile_between(hd_quantile_index(count, q, 0, 0), n, out); return;
  case HD_QUANTILE_MEDIAN_UNBIASED:
    hd_quantile_between(hd_quantile_index(count, q, 1 / 3.0, 1 / 3.0), n, out);
    return;
  case HD_QUANTILE_NORMAL_UNBIASED:
    hd_quantile_between(hd_quantile_index(count, q, 3 / 8.0, 3 / 8.0), n, out);
    return;
  case HD_QUANTILE_LOWER: hd_quantile_at(hd_quantile_floor(last * q), n, out); return;
  case HD_QUANTILE_HIGHER: {
    const f64 index = last * q, low = hd_quantile_floor(index);
    hd_quantile_at(low == index ? low : low + 1, n, out);
    return;
  }
  case HD_QUANTILE_MIDPOINT: hd_quantile_midpoint(last * q, n, out); return;
  case HD_QUANTILE_NEAREST: hd_quantile_at(hd_quantile_round(last * q), n, out); return;
  default: hd_quantile_between(last * q, n, out); return;
  }
}

/* Whether the method interpolates; else a quantile is an element as it is. */
HD_FUNCTION bool hd_quantile_is_between(u32 method) {
  switch (method) {
  case HD_QUANTILE_INVERTED_CDF:
  case HD_QUANTILE_CLOSEST_OBSERVATION:
  case HD_QUANTILE_LOWER:
  case HD_QUANTILE_HIGHER:
  case HD_QUANTILE_NEAREST: return false;
  default: return true;
  }
}

/* a and b are the elements of both ranks, a <= b, neither NaN. With an infinite one it is that one, but at
 * t = 0 a, at t = 1 b; between both infinities NaN. */
HD_FUNCTION f64 hd_quantile_value(u32 method, f64 a, f64 b, f64 t) {
  if (!hd_quantile_is_between(method)) return a;
  if (!(a - a == 0) || !(b - b == 0)) {
    if (a == b || t == 0) return a;
    if (t == 1) return b;
    if (a - a == 0) return b;
    return b - b == 0 ? a : hd_f64_of_bits(HD_NAN_F64);
  }
  const f64 d = b - a;
  if (!(d - d == 0)) return a * (1 - t) + b * t;
  return t >= 0.5 ? b - d * (1 - t) : a + d * t;
}

#endif
