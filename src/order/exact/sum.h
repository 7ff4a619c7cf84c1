/* sum.h - the result of an exact sum: its limbs, or a quotient of them, rounded once (docs/order.md, rule 15)
 *
 * Method   The highest 64 bits, and whether anything is below, decide; of a quotient what the division leaves
 *          is below, too. A sum of two f64 needs no limbs.
 *
 * C and CUDA C++ both read it. */
#ifndef HEDDLE_ORDER_EXACT_SUM_H
#define HEDDLE_ORDER_EXACT_SUM_H

#include "limbs.h"

/* Carries, and makes the sum its magnitude; whether it was negative. */
HD_FUNCTION bool hd_exact_magnitude(struct hd_exact *sum, struct hd_exact_span span) {
  hd_exact_carry(sum, span);
  if (sum->limb[span.end - 1] >= 0) return false;
  for (u32 i = span.first; i < span.end; i++) sum->limb[i] = -sum->limb[i];
  hd_exact_carry(sum, span);
  return true;
}

/* A magnitude's highest 64 bits, of which the first is set: the number is between bits * 2^(top - 63) and
 * the next such, and above the former if anything is below. bits 0: zero. */
struct hd_exact_head {
  u64 bits;
  i32 top;
  bool below;
};

/* Of limbs that are 0 to 2^32 - 1, but for the last, which is no less than 0. */
HD_FUNCTION struct hd_exact_head hd_exact_head_of(const struct hd_exact *sum,
                                                  struct hd_exact_span span, bool below) {
  struct hd_exact_head head;
  u32 i = span.end;
  head.bits = 0, head.top = 0, head.below = below;
  while (i > span.first && !sum->limb[i - 1]) i--;
  if (i == span.first) return head;
  const u64 first = (u64)sum->limb[--i];
  const u32 high = hd_top_bit(first);
  u32 free = 63u - high; /* bits of head.bits still to be filled */
  head.top = (i32)(32 * i + high) - 32 * HD_EXACT_BELOW;
  head.bits = first << free;
  while (i > span.first && free) {
    const u64 limb = (u64)sum->limb[--i];
    if (free >= 32) {
      free -= 32;
      head.bits |= limb << free;
    } else {
      head.bits |= limb >> (32 - free);
      head.below = head.below || (limb & (((u64)1 << (32 - free)) - 1));
      free = 0;
    }
  }
  while (i > span.first && !head.below) head.below = sum->limb[--i] != 0;
  return head;
}

/* The f64 of kept * 2^exponent, which the format has. */
HD_FUNCTION f64 hd_exact_compose(u64 kept, i32 exponent, i32 most) {
  if (!kept) return 0;
  const i32 top = exponent + (i32)hd_top_bit(kept);
  if (top >= most) return hd_f64_of_bits((u64)0x7ff << 52);
  if (top < -1022) return hd_f64_of_bits(kept << (exponent + 1074));
  const u64 fraction = (kept << (52u - hd_top_bit(kept))) & (((u64)1 << 52) - 1);
  return hd_f64_of_bits((u64)(top + 1023) << 52 | fraction);
}

/* Rounds once, to nearest even, to a number that the format has; an infinity beyond its range. */
HD_FUNCTION f64 hd_exact_round_head(struct hd_exact_head head, struct hd_exact_format format) {
  i32 drop = 64 - format.precision;
  if (!head.bits) return 0;
  if (head.top - format.precision + 1 < format.least)
    drop += format.least - (head.top - format.precision + 1);
  if (drop > 64) return 0;
  u64 kept = drop < 64 ? head.bits >> drop : 0;
  const u64 half = (u64)1 << (drop - 1), rest = head.bits & (half | (half - 1));
  kept += rest > half || (rest == half && (head.below || (kept & 1)));
  if (kept >> 53) kept >>= 1, drop++; /* all ones became a power of two */
  return hd_exact_compose(kept, head.top - 63 + drop, format.most);
}

/* a + b rounded once to f64; with `odd` to the f64 whose last bit is set where it is not exact, so that one
 * more rounding to a narrower format is as good as a single one. The result of two parts. */
HD_FUNCTION f64 hd_exact_round_two(f64 a, f64 b, bool odd) {
  const f64 sum = a + b, second = sum - a;
  const f64 error = (a - (sum - second)) + (b - second);
  if (sum == 0) return 0;
  if (!odd || error == 0 || !(sum - sum == 0) || (hd_bits_f64(sum) & 1)) return sum;
  return hd_f64_of_bits((error > 0) == (sum > 0) ? hd_bits_f64(sum) + 1 : hd_bits_f64(sum) - 1);
}

/* What the counted specials make of a sum: a NaN, an infinity, or nothing: 0. */
HD_FUNCTION f64 hd_exact_special_of(const struct hd_exact *sum) {
  if (sum->nan || (sum->plus && sum->minus)) return hd_f64_of_bits(HD_NAN_F64);
  if (sum->plus || sum->minus) return hd_f64_of_bits((u64)(sum->plus ? 0x7ffu : 0xfffu) << 52);
  return 0;
}

/* The sum rounded once, +0.0 if it is zero; *sum is used up. */
HD_FUNCTION f64 hd_exact_round(struct hd_exact *sum, struct hd_exact_span span,
                               struct hd_exact_format format) {
  const f64 special = hd_exact_special_of(sum);
  if (special != 0) return special;
  const bool negative = hd_exact_magnitude(sum, span);
  const f64 magnitude = hd_exact_round_head(hd_exact_head_of(sum, span, false), format);
  return negative ? -magnitude : magnitude;
}

/* Divides limb by limb from the top, 8 bits a step, so that what is left, below the divisor, never passes 64
 * bits; returns what is left at the end. All limbs are 0 to 2^32 - 1, which the span has room for. */
HD_FUNCTION u64 hd_exact_divide(struct hd_exact *sum, struct hd_exact_span span, u64 divisor) {
  u64 left = 0;
  for (u32 i = span.end; i > span.first; i--) {
    const u64 limb = (u64)sum->limb[i - 1];
    u64 quotient = 0;
    for (i32 bit = 24; bit >= 0; bit -= 8) {
      left = left << 8 | (limb >> bit & 0xffu);
      quotient = quotient << 8 | left / divisor;
      left %= divisor;
    }
    sum->limb[i - 1] = (i64)quotient;
  }
  return left;
}

/* The sum over a whole number of at most 2^53, rounded once; *sum is used up. Limbs below the span's first are
 * cleared here. */
HD_FUNCTION f64 hd_exact_round_quotient(struct hd_exact *sum, struct hd_exact_span span,
                                        u64 divisor, struct hd_exact_format format) {
  const f64 special = hd_exact_special_of(sum);
  if (special != 0) return special;
  const bool negative = hd_exact_magnitude(sum, span);
  for (u32 k = 0; k < HD_EXACT_QUOTIENT_LIMBS; k++) sum->limb[--span.first] = 0;
  const bool below = hd_exact_divide(sum, span, divisor) != 0;
  const f64 magnitude = hd_exact_round_head(hd_exact_head_of(sum, span, below), format);
  return negative ? -magnitude : magnitude;
}

#endif
