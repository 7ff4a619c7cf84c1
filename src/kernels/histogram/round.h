/* round.h - a sum of weights in fixed point, rounded once to f64
 *
 * Result   finish_sum   the output of one counter's sum; amounts, limbs and marks are zero afterwards
 * Defines  HEDDLE_EXACT 1: of exact sums (limbs.h)
 * Method   the leading 64 bits of the 128-bit magnitude, the last one sticky, then one rounding to
 *          the precision that the result's exponent leaves, in integers
 * Source   docs/order.md, rules 14 and 15; src/order/exact/fixed_sum.c is the same on a CPU */
#ifndef HEDDLE_KERNELS_HISTOGRAM_ROUND_H
#define HEDDLE_KERNELS_HISTOGRAM_ROUND_H

#include "kernels/base/device.h"

#include "args.h"
#include "guess.h"

#define HD_MARK_PLUS 1u
#define HD_MARK_MINUS 2u
#define HD_MARK_NAN 4u

#define HD_LEAST_EXPONENT (-1100)
#define HD_MOST_EXPONENT 1200 /* beyond these no f64 makes a difference */

HD_DEVICE i32 fixed_exponent(const struct hist_args *a) {
  i32 e = a->exponent ? guess_exponent(a) : a->exponent_given;
  return e < HD_LEAST_EXPONENT ? HD_LEAST_EXPONENT : e > HD_MOST_EXPONENT ? HD_MOST_EXPONENT : e;
}

/* top * 2^scale rounded to nearest even, as the bits of an f64; top's leading bit is set, and its
 * last one is sticky. */
HD_DEVICE u64 round_scaled(u64 top, i32 scale) {
  i32 drop = 11, below = -1074 - (scale + drop); /* a result under 2^-1022 keeps fewer bits */
  if (below > 0) drop += below;
  u64 kept = 0;
  if (drop < 64) {
    u64 half = 1ull << (drop - 1), rest = top & (half | (half - 1));
    kept = top >> drop;
    kept += rest > half || (rest == half && (kept & 1));
  } else if (drop == 64) {
    kept = top > 1ull << 63;
  }
  /* kept * 2^(scale + drop): 53 bits and more are normal, fewer are the bits of a denormal. */
  if (kept < 1ull << 52) return kept;
  i32 exponent = scale + drop;
  if (kept == 1ull << 53) kept >>= 1, exponent++;
  if (exponent + 52 > 1023) return 0x7ffull << 52;
  return kept + ((u64)(exponent + 1074) << 52);
}

HD_DEVICE u64 round_fixed(u64 low, u64 high, i32 exponent) {
  u64 sign = high >> 63;
  if (sign) {
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  if ((high | low) == 0) return 0;
  i32 lead = high ? __clzll((i64)high) : 64 + __clzll((i64)low);
  u64 top = lead >= 64 ? low << (lead - 64) : lead ? high << lead | low >> (64 - lead) : high;
  if (lead < 64 && low << lead) top |= 1;
  return sign << 63 | round_scaled(top, exponent - HD_FIXED_BITS + 64 - lead);
}

/* *low and *high += a signed number * 2^up, 0 < up < 64. */
HD_DEVICE void amount_add_shifted(u64 number, bool negative, u32 up, u64 *low, u64 *high) {
  const u64 add = number << up, above = negative ? ~0ull << up : 0;
  *low += add;
  *high += (number >> (64 - up) | above) + (*low < add);
}

/* The same of thin.h's units, which have a sign, and of what is below them. */
HD_DEVICE void amount_add_thin(const struct hist_args *a, u64 counter, u64 *low, u64 *high) {
  const u64 counters = (u64)a->slots * a->channels;
  u64 units = 0, below = 0;
#pragma unroll
  for (u64 copy = 0; copy < HD_THIN_COPIES; copy++) {
    const u64 *from = (const u64 *)a->thin_units + 2 * (copy * counters + counter);
    units += __ldcg(from);
    below += __ldcg(from + 1);
  }
  const u32 up = (u32)(thin_unit(a) + HD_FIXED_BITS - *(const i32 *)a->exponent);
  amount_add_shifted(units, units >> 63 != 0, up, low, high);
  amount_add_shifted(below, false, up - 32, low, high);
}

/* *low and *high += the units of a counter's sum in global memory. */
HD_DEVICE void amount_add_units(const struct hist_args *a, u64 counter, u64 *low, u64 *high) {
  if (a->thin && __ldcg((const u32 *)a->exponent + 3)) {
    amount_add_thin(a, counter, low, high);
    return;
  }
  u64 *units = (u64 *)a->units + 2 * counter, u0 = __ldcg(units), u1 = __ldcg(units + 1);
  if (!(u0 | u1)) return;
  if (!a->keep) units[0] = 0, units[1] = 0;
  const u32 rest = a->rest_bits;
  *low += u0 << rest;
  *high += (u1 << rest | u0 >> (64 - rest)) + (*low < u0 << rest);
}

#if HEDDLE_EXACT
#include "limbs.h"
#endif

HD_DEVICE void finish_sum(const struct hist_args *a, u64 counter, u64 at) {
  u64 *amount = (u64 *)a->amounts + 2 * counter;
  u32 *marks = (u32 *)a->marks + counter, mark = __ldcg(marks);
  u64 low = __ldcg(amount), high = __ldcg(amount + 1), bits = 0;
  amount_add_units(a, counter, &low, &high);
  if (!a->keep) amount[0] = 0, amount[1] = 0, *marks = 0;
#if HEDDLE_EXACT
  const bool limbs = (mark & HD_MARK_LIMBS) != 0;
  if (limbs) bits = limbs_finish(a, counter, low, high, fixed_exponent(a));
  mark &= HD_MARK_PLUS | HD_MARK_MINUS | HD_MARK_NAN;
#else
  const bool limbs = false;
#endif
  if ((mark & HD_MARK_NAN) || mark == (HD_MARK_PLUS | HD_MARK_MINUS))
    bits = 0x7ff8000000000000ull;
  else if (mark)
    bits = mark == HD_MARK_PLUS ? 0x7ffull << 52 : 0xfffull << 52;
  else if (!limbs)
    bits = round_fixed(low, high, fixed_exponent(a));
  if (a->out.sums) ((u64 *)a->out.sums)[at] = bits;
}

#endif
