/* windows.h - when ordinary additions of f64 are exact: windows, and what fits them
 *
 * The sum of n = 2^m numbers is exact in f64, in any order, if each is a multiple of one power of two, the
 * unit, and below 2^(53 - m) units. Elements that lie further apart are cut: adding and taking off
 * 1.5 * 2^(52 + q) rounds x to a multiple of 2^q, its part in that window, and what is left of x is exact.
 * A window of 53 - m bits, q = top - (53 - m), holds the parts of elements below 2^top; the next begins at q.
 * What is left behind the last window has to fit in f64 without one. */
#ifndef HEDDLE_CPU_EXACT_WINDOWS_H
#define HEDDLE_CPU_EXACT_WINDOWS_H

#include "kernels.h"

/* The highest words of the greatest magnitude and, less one unit of f64, of the least that is not zero. */
struct hd_exact_range {
  u32 most, least; /* least: all ones if every element is zero */
};

enum {
  HD_EXACT_SPECIAL = 0x7ff00000, /* words of no number begin here */
  HD_EXACT_TOP_MOST = 960,       /* beyond it the numbers of windows, and sums, leave f64's range */
  HD_EXACT_WIDEST = 50 /* bits of a window: elements must not leave the binade of its number */
};

/* All magnitudes are below 2^top. */
static inline i32 hd_exact_top(struct hd_exact_range range) {
  return (i32)(range.most >> 20) - 1022;
}
/* The exponent of the least that is not zero, at least. */
static inline i32 hd_exact_least(struct hd_exact_range range) {
  const i32 biased = (i32)(range.least >> 20);
  return (biased > 1 ? biased : 1) - 1023;
}

static inline i32 hd_exact_window_bits(size_t n) {
  const i32 bits = n > 1 ? 52 - (i32)hd_top_bit(n - 1) : 53;
  return bits < HD_EXACT_WIDEST ? bits : HD_EXACT_WIDEST;
}

/* Windows of `bits` bits that numbers below 2^top, of which the least is 2^least or more, need; beyond
 * HD_EXACT_LEVELS: they do not fit. */
static inline u32 hd_exact_levels(i32 top, i32 least, struct hd_exact_format of, i32 bits) {
  const i32 unit = least - of.precision + 1;
  const i32 spread = top - (unit > of.least ? unit : of.least);
  u32 levels = 0;
  if (top > HD_EXACT_TOP_MOST) return HD_EXACT_LEVELS + 1;
  while (levels <= HD_EXACT_LEVELS && spread > bits * (i32)(levels + 1)) levels++;
  return levels;
}

/* The number that cuts window w; below the unit of f64 there is nothing to cut. */
static inline f64 hd_exact_window(i32 top, u32 w, i32 bits) {
  i32 unit = top - (i32)(w + 1) * bits;
  if (unit < -1074) unit = -1074;
  return hd_f64_of_bits((u64)(unit + 52 + 1023) << 52 | (u64)1 << 51);
}

#endif
