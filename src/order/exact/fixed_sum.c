/* fixed_sum.c - exact sums of weights in fixed point; see fixed_sum.h
 *
 * Method   A weight times 2^(43 - E) is split at the binary point: hi = nearest integer, below 2^43,
 *          and rest = a - hi, exact; lo = nearest even of rest * 2^43. The weight is hi * 2^43 + lo
 *          units, and ties go to even because hi * 2^43 is even. Integers of 64 bits, which f64
 *          cannot hold, are shifted instead.
 * Limits   exponents are clamped to a range beyond which no f64 makes a difference. */
#include "fixed_sum.h"

#include <math.h>
#include <string.h>

#include "order/float_bits.h"

enum { LEAST_EXPONENT = -1100, MOST_EXPONENT = 1200 };

static int clamp_exponent(int e) {
  return e < LEAST_EXPONENT ? LEAST_EXPONENT : e > MOST_EXPONENT ? MOST_EXPONENT : e;
}

static f64 nearest(f64 x) { return (x + 0x1.8p52) - 0x1.8p52; } /* |x| < 2^51, ties to even */

struct hd_scale hd_fixed_scale(int exponent) {
  int k = HD_HALF_BITS - clamp_exponent(exponent);
  return (struct hd_scale){ldexp(1, k / 2), ldexp(1, k - k / 2)};
}

static unsigned fix_real(f64 w, struct hd_scale s, struct hd_fixed *out) {
  f64 a = w * s.one * s.two;
  *out = (struct hd_fixed){0, 0};
  if (!(fabs(a) < 0x1p43)) {
    if (w != w) return HD_MARK_NAN;
    if (isinf(w)) return w > 0 ? HD_MARK_PLUS : HD_MARK_MINUS;
    return HD_MARK_TOO_LARGE;
  }
  f64 whole = nearest(a);
  i64 hi = (i64)whole, lo = (i64)nearest((a - whole) * 0x1p43);
  u64 low = (u64)hi << HD_HALF_BITS;
  out->low = low + (u64)lo;
  out->high = (hi >> (64 - HD_HALF_BITS)) + (lo < 0 ? -1 : 0) + (out->low < low);
  return 0;
}

/* magnitude * 2^(86 - exponent), to nearest even, with the sign. */
static unsigned fix_integer(u64 magnitude, bool negative, int exponent, struct hd_fixed *out) {
  *out = (struct hd_fixed){0, 0};
  if (!magnitude) return 0;
  if (exponent < 64 && (exponent <= 0 || magnitude >> exponent)) return HD_MARK_TOO_LARGE;
  int up = HD_FIXED_BITS - exponent;
  u64 low, high = 0;
  if (up >= 64) {
    low = 0, high = magnitude << (up - 64);
  } else if (up > 0) {
    low = magnitude << up, high = magnitude >> (64 - up);
  } else if (up >= -64) {
    int down = -up;
    u64 kept = down == 0 ? magnitude : down == 64 ? 0 : magnitude >> down;
    u64 half = down == 0 ? 0 : UINT64_C(1) << (down - 1);
    u64 rest = down == 0 ? 0 : magnitude & (half | (half - 1));
    low = kept + (rest > half || (half && rest == half && (kept & 1)));
  } else {
    low = 0;
  }
  if (negative) {
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  *out = (struct hd_fixed){low, (i64)high};
  return 0;
}

#define FIX_T EACH(NAME)
#define FIX_IS_NARROW (EACH_IS(FLOAT) && EACH(BITS) == 16)
#define EACH_WHERE EACH_IS(FLOAT) || EACH(BITS) < 64
#define EACH_TEMPLATE "order/exact/fixed_sum_tmpl.h"
#include "order/each_type.h"
#undef FIX_T
#undef FIX_IS_NARROW

typedef unsigned fix_kernel(const void *weights, size_t n, int exponent, struct hd_fixed *fixed,
                            u8 *marks);

static unsigned fix_u64(const void *weights, size_t n, int exponent, struct hd_fixed *fixed,
                        u8 *marks) {
  unsigned all = 0;
  for (size_t i = 0; i < n; i++) {
    u64 w;
    memcpy(&w, (const char *)weights + i * sizeof w, sizeof w);
    unsigned mark = fix_integer(w, false, exponent, &fixed[i]);
    marks[i] = (u8)mark;
    all |= mark;
  }
  return all;
}

static unsigned fix_i64(const void *weights, size_t n, int exponent, struct hd_fixed *fixed,
                        u8 *marks) {
  unsigned all = 0;
  for (size_t i = 0; i < n; i++) {
    i64 w;
    memcpy(&w, (const char *)weights + i * sizeof w, sizeof w);
    unsigned mark = fix_integer(w < 0 ? 0 - (u64)w : (u64)w, w < 0, exponent, &fixed[i]);
    marks[i] = (u8)mark;
    all |= mark;
  }
  return all;
}

unsigned hd_fixed_weights(heddle_type type, const void *weights, size_t n, int exponent,
                          struct hd_fixed *fixed, u8 *marks) {
  static fix_kernel *const kernels[HD_TYPE_COUNT] = {
#define X(TYPE, type, ...) [HEDDLE_##TYPE] = fix_##type,
      HD_TYPES(X)
#undef X
  };
  return kernels[type](weights, n, clamp_exponent(exponent), fixed, marks);
}

/* The 128-bit magnitude's leading 64 bits, the last one sticky, then one rounding to the precision
 * that the result's exponent leaves. */
f64 hd_fixed_round(struct hd_fixed sum, int exponent, unsigned marks) {
  if ((marks & HD_MARK_NAN) ||
      (marks & (HD_MARK_PLUS | HD_MARK_MINUS)) == (HD_MARK_PLUS | HD_MARK_MINUS))
    return hd_f64_of_bits(HD_NAN_F64);
  if (marks & HD_MARK_PLUS) return (f64)INFINITY;
  if (marks & HD_MARK_MINUS) return (f64)-INFINITY;
  bool negative = sum.high < 0;
  u64 high = (u64)sum.high, low = sum.low;
  if (negative) {
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  if (!(high | low)) return 0;
  int lead = high ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
  u64 top = lead >= 64 ? low << (lead - 64) : lead ? (high << lead) | (low >> (64 - lead)) : high;
  if (lead < 64 && (low << lead)) top |= 1;
  int scale = clamp_exponent(exponent) - HD_FIXED_BITS + 64 - lead; /* value = top * 2^scale */
  int drop = 11, below = -1074 - (scale + drop); /* a result under 2^-1022 keeps fewer bits */
  if (below > 0) drop += below;
  u64 kept = 0;
  if (drop < 64) {
    u64 half = UINT64_C(1) << (drop - 1), rest = top & (half | (half - 1));
    kept = top >> drop;
    kept += rest > half || (rest == half && (kept & 1));
  } else if (drop == 64) {
    kept = top > UINT64_C(1) << 63;
  }
  const int power = scale + drop;
  f64 value; /* exact, or infinity */
  if (power >= -1022 && power <= 1023)
    value = (f64)kept * hd_f64_of_bits((u64)(power + 1023) << 52);
  else
    value = ldexp((f64)kept, power);
  return negative ? -value : value;
}

int hd_fixed_exponent(f64 lo, f64 hi) {
  f64 most = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);
  int e = 0;
  if (most > 0) (void)frexp(most, &e);
  return e;
}
