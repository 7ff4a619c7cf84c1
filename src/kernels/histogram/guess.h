/* guess.h - weights added before their exponent is known
 *
 * Result   guess_note     what one weight that is not plain says of the guess
 *          guess_flush    the same of a block, told to all
 *          exponent_of    the exponent that frexp gives
 *          guess_held     whether the sums so far are what the right exponent would have given
 * Method   A sample tells an exponent G, which is at most the right one, E, and weights are added as
 *          multiples of 2^(G - 86). That changes no sum if all of them are such multiples, if they
 *          would be multiples of 2^(E - 86), too, so that neither exponent rounds, and if none is so
 *          large that 128 bits might overflow. Plain weights (fix_units) are; the others leave in a
 *          few words how far they go at either end. Where the guess does not hold, a second launch,
 *          which ends at once otherwise, does all again with E, which is known then.
 * Memory   a.exponent: {i32 G, u32 E - G, u32 of the lowest bits: HD_GUESS_BITS less the least one,
 *          u32 of thin.h's unit}
 * Source   docs/order.md, rule 14 */
#ifndef HEDDLE_KERNELS_HISTOGRAM_GUESS_H
#define HEDDLE_KERNELS_HISTOGRAM_GUESS_H

#include "kernels/base/device.h"

#include "args.h"

#define HD_FIXED_BITS 86
#define HD_GUESS_BITS 64 /* more than the greatest reach: bits from here on are multiples of all */

/* Of a number that is not negative. */
HD_DEVICE i32 exponent_of(f64 x) {
  if (x == 0) return 0;
  i32 extra = 0;
  if (x < 2.2250738585072014e-308) x *= 18014398509481984.0, extra = -54; /* 2^54 */
  return (i32)(hd_bits_f64(x) >> 52) - 1022 + extra;
}

/* lead, low: the numbers of a weight's leading and lowest bit, counted from 2^(G - 86) on; the former
 * is one more. seen: two words of shared memory. */
HD_DEVICE void guess_note(u32 *seen, i32 lead, i32 low) {
  if (lead > HD_FIXED_BITS) atomicMax(seen, (u32)(lead - HD_FIXED_BITS));
  if (low < HD_GUESS_BITS) atomicMax(seen + 1, (u32)(HD_GUESS_BITS - low));
}

/* Threads 0 and 1 arrive, after a barrier behind the last guess_note. */
HD_DEVICE void guess_flush(const struct hist_args *a, const u32 *seen) {
  if (seen[threadIdx.x]) atomicMax((u32 *)a->exponent + 1 + threadIdx.x, seen[threadIdx.x]);
}

HD_DEVICE bool guess_held(const struct hist_args *a) {
  const u32 *words = (const u32 *)a->exponent;
  const u32 more = __ldcg(words + 1), lowest = __ldcg(words + 2);
  return more <= a->reach && lowest + more <= HD_GUESS_BITS;
}

/* T of thin.h's unit 2^T. */
HD_DEVICE i32 thin_unit(const struct hist_args *a) {
  return (i32)__ldcg((const u32 *)a->exponent + 3) - HD_THIN_BIAS;
}

/* Whether a launch of this attempt has nothing to do. */
HD_DEVICE bool guess_spares(const struct hist_args *a) {
  if (a->attempt == HD_ATTEMPT_AGAIN) return guess_held(a);
  const bool fits = a->thin && __ldcg((const u32 *)a->exponent + 3);
  return (a->thin == HD_THIN_OURS && !fits) || (a->thin == HD_THIN_OTHERS && fits);
}

/* The exponent of this attempt. */
HD_DEVICE i32 guess_exponent(const struct hist_args *a) {
  const i32 guess = *(const i32 *)a->exponent;
  return a->attempt == HD_ATTEMPT_AGAIN ? guess + (i32)__ldcg((const u32 *)a->exponent + 1) : guess;
}

#endif
