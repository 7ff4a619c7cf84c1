/* share.h - a share of an exact sum, and which of two sums is the greater: what quantiles by weights ask for
 *
 * Limits   Sums are of numbers that are not negative, and carried. */
#ifndef HEDDLE_ORDER_EXACT_SHARE_H
#define HEDDLE_ORDER_EXACT_SHARE_H

#include "order/exact/limbs.h"

/* a >= b. */
HD_FUNCTION bool hd_exact_reaches(const struct hd_exact *a, const struct hd_exact *b) {
  for (u32 i = HD_EXACT_LIMBS; i-- > 0;)
    if (a->limb[i] != b->limb[i]) return a->limb[i] > b->limb[i];
  return true;
}

/* *out = q times the whole, 0 <= q <= 1: limbs of 32 bits by halves of q's 53. */
HD_FUNCTION void hd_exact_share(const struct hd_exact *whole, f64 q, struct hd_exact *out) {
  struct hd_exact_span all;
  i32 exponent;
  const i64 integer = hd_exact_integer(q, &exponent), low = integer & (((i64)1 << 27) - 1);
  all.first = 0, all.end = HD_EXACT_LIMBS;
  hd_exact_clear(out, all);
  if (!integer) return;
  for (u32 k = 0; k < HD_EXACT_LIMBS; k++) {
    const i32 unit = 32 * ((i32)k - HD_EXACT_BELOW) + exponent;
    if (!whole->limb[k]) continue;
    struct hd_exact_parts parts = hd_exact_split(whole->limb[k] * low, unit);
    hd_exact_add_parts(out, &parts);
    parts = hd_exact_split(whole->limb[k] * (integer >> 27), unit + 27);
    hd_exact_add_parts(out, &parts);
  }
  hd_exact_carry(out, all);
}

#endif
