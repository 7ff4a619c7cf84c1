/* fixed.h - a weight as a fixed-point number, in words that fit 32-bit counters
 *
 * Result   fix_exact    |w| as a multiple of 2^(E - 86), rounded once to nearest even: 128 bits
 *          fix_units    w as a multiple of 2^(E - UNITS) in WORDS words, for most weights: those
 *          that
 *                       are such a multiple and neither NaN, infinite nor too large
 *          units_add    added to a counter's words in shared memory
 *          units_add_global  added to a counter's units in global memory
 *          amount_add   added to a counter's 128-bit sum in global memory
 *          weigh_limbs  added in full (HEDDLE_EXACT)
 * Defines  HEDDLE_WEIGHT   the number of the weights' type; HEDDLE_THIN 1: words of another kind (thin.h);
 *          HEDDLE_EXACT 1: no weight is rounded (limbs.h)
 * Method   A counter's words in shared memory are one number of 64 or 96 bits. Addition to the lower
 *          ones returns what was there before, which tells whether it carried: each carry is seen
 *          by one thread. A weight's part below 2^(E - UNITS), which only weights have that are
 *          2^(UNITS - 24) (f64: 2^(UNITS - 53)) times smaller than others, goes to global memory.
 * Limits   a block adds at most 2^22 weights to its words: the host launches again before
 * Source   docs/order.md, rule 14; src/order/exact/fixed_sum.c is the same on a CPU */
#ifndef HEDDLE_KERNELS_HISTOGRAM_FIXED_H
#define HEDDLE_KERNELS_HISTOGRAM_FIXED_H

#include "order/device/element.h"
#include "round.h"

#if HEDDLE_WEIGHT == HD_F64 || HEDDLE_WEIGHT == HD_U64 || HEDDLE_WEIGHT == HD_I64
#define WORDS 3
#define UNITS 73 /* 22 bits and a sign fit above */
#define WEIGHT_BYTES 8
typedef u64 weight_bits;
#else
#define WORDS 2
#define UNITS 41 /* the same */
typedef u32 weight_bits;
#if HEDDLE_WEIGHT == HD_U8 || HEDDLE_WEIGHT == HD_I8
#define WEIGHT_BYTES 1
#elif HEDDLE_WEIGHT == HD_U16 || HEDDLE_WEIGHT == HD_I16 || HEDDLE_WEIGHT == HD_F16 || \
    HEDDLE_WEIGHT == HD_BF16
#define WEIGHT_BYTES 2
#else
#define WEIGHT_BYTES 4
#endif
#endif
#define REST_BITS (HD_FIXED_BITS - UNITS)

#define HD_MARK_TOO_LARGE 8u

/* ---- every weight ---------------------------------------------------------------------------- */

HD_DEVICE bool weight_is_zero(weight_bits bits) {
  const weight_bits sign = (weight_bits)1 << (8 * WEIGHT_BYTES - 1);
  return (HD_TYPE_IS_FLOAT(HEDDLE_WEIGHT) ? bits & ~sign : bits) == 0;
}

/* The magnitude is high * 2^64 + low. */
struct fixed {
  u64 low, high;
  bool negative;
  u32 mark;
  i32 lead, lowest; /* as guess_note takes them */
};

/* magnitude * 2^up, magnitude < 2^64, rounded to nearest even, into *out; `room` bits, at most 128. */
HD_DEVICE void fix_wide(u64 magnitude, i32 up, i32 room, struct fixed *out) {
  u64 low = 0, high = 0;
  out->lead = magnitude ? up + 64 - __clzll((i64)magnitude) : 0;
  out->lowest = magnitude ? up + __ffsll((i64)magnitude) - 1 : HD_GUESS_BITS;
  if (out->lead > room) {
    out->mark = HD_MARK_TOO_LARGE;
    magnitude = 0;
  }
  if (up >= 64) {
    high = magnitude ? magnitude << (up - 64) : 0;
  } else if (up > 0) {
    low = magnitude << up, high = magnitude >> (64 - up);
  } else if (up == 0) {
    low = magnitude;
  } else if (up >= -64) {
    i32 down = -up;
    u64 half = 1ull << (down - 1), rest = magnitude & (half | (half - 1));
    low = down == 64 ? 0 : magnitude >> down;
    low += rest > half || (rest == half && (low & 1));
  }
  out->low = low;
  out->high = high;
}

/* A float of `digits` bits of mantissa, without the leading one, below exponents up to `most`. */
HD_DEVICE void fix_float(bool negative, i32 e, u64 mantissa, i32 most, i32 digits, i32 exponent,
                         i32 room, struct fixed *out) {
  out->negative = negative;
  if (e == most) {
    out->mark = mantissa ? HD_MARK_NAN : negative ? HD_MARK_MINUS : HD_MARK_PLUS;
    mantissa = 0;
  } else if (e) {
    mantissa |= 1ull << digits;
  }
  fix_wide(mantissa, (e ? e : 1) - most / 2 - digits - exponent + HD_FIXED_BITS, room, out);
}

HD_DEVICE void fix_f64(u64 bits, i32 exponent, i32 room, struct fixed *out) {
  fix_float(bits >> 63 != 0, (i32)(bits >> 52) & 0x7ff, bits & 0xfffffffffffffull, 0x7ff, 52,
            exponent, room, out);
}

HD_DEVICE void fix_f32(u32 bits, i32 exponent, i32 room, struct fixed *out) {
  fix_float(bits >> 31 != 0, (i32)(bits >> 23) & 0xff, bits & 0x7fffffu, 0xff, 23, exponent, room,
            out);
}

HD_DEVICE struct fixed fix_exact(weight_bits bits, i32 exponent, i32 room) {
  struct fixed out;
  out.mark = 0;
#if HEDDLE_WEIGHT == HD_F64
  fix_f64(bits, exponent, room, &out);
#elif HEDDLE_WEIGHT == HD_F32
  fix_f32(bits, exponent, room, &out);
#elif HEDDLE_WEIGHT == HD_F16
  fix_f32(hd_bits_f32(f32_of_f16((u16)bits)), exponent, room, &out);
#elif HEDDLE_WEIGHT == HD_BF16
  fix_f32(bits << 16, exponent, room, &out);
#elif HEDDLE_WEIGHT == HD_U64
  out.negative = false;
  fix_wide(bits, HD_FIXED_BITS - exponent, room, &out);
#elif HEDDLE_WEIGHT == HD_I64
  out.negative = (i64)bits < 0;
  fix_wide(out.negative ? 0 - bits : bits, HD_FIXED_BITS - exponent, room, &out);
#else
#if HEDDLE_WEIGHT == HD_I8
  i32 value = (i8)bits;
#elif HEDDLE_WEIGHT == HD_I16
  i32 value = (i16)bits;
#else
  i32 value = (i32)bits;
#endif
  out.negative = HD_TYPE_IS_SIGNED(HEDDLE_WEIGHT) && value < 0;
  fix_wide(out.negative ? 0u - (u32)value : (u32)value, HD_FIXED_BITS - exponent, room, &out);
#endif
  return out;
}

/* ---- weights that are no multiple of 2^(E - 86), or too large ---------------------------------- */

#if HEDDLE_EXACT
#include "limbs.h"

HD_DEVICE f64 weight_value(weight_bits bits) {
#if HEDDLE_WEIGHT == HD_F64
  return hd_f64_of_bits(bits);
#elif HEDDLE_WEIGHT == HD_F32
  return (f64)hd_f32_of_bits(bits);
#else
  return (f64)hd_f32_of_bits(bits << 16); /* bf16 */
#endif
}

/* Adds such a weight to its counter's limbs if that is a bin's; false: it is none. */
HD_DEVICE bool weigh_limbs(const struct hist_args *a, u64 counter, bool bin, weight_bits bits,
                           const struct fixed *w) {
  if (w->mark != HD_MARK_TOO_LARGE && w->lowest >= 0) return false;
  if (bin) limbs_add(a, counter, weight_value(bits));
  return true;
}
#else
HD_DEVICE bool weigh_limbs(const struct hist_args *a, u64 counter, bool bin, weight_bits bits,
                           const struct fixed *w) {
  (void)a, (void)counter, (void)bin, (void)bits, (void)w;
  return false;
}
#endif

/* ---- sums ------------------------------------------------------------------------------------ */

HD_DEVICE void amount_add(const struct hist_args *a, u64 counter, u64 low, u64 high) {
  u64 *amount = (u64 *)a->amounts + 2 * counter;
  if (low) {
    u64 before = atomicAdd(amount, low);
    high += before + low < before;
  }
  if (high) memory_add64(amount + 1, high);
}

/* The rest of a weight below its units, or with `all` all of it, added to a counter's sum. */
HD_DEVICE void weight_add(const struct hist_args *a, u64 counter, const struct fixed *w, bool all) {
  u64 low = all ? w->low : w->low & ((1ull << REST_BITS) - 1), high = all ? w->high : 0;
  if (w->negative) {
    low = ~low + 1;
    high = ~high + (low == 0);
  }
  amount_add(a, counter, low, high);
}

#if HEDDLE_THIN
#include "thin.h"
#else

/* ---- units ----------------------------------------------------------------------------------- */

struct units {
  u32 word[WORDS]; /* the lowest first; complement of two */
};

/* What a block knows of the exponent. */
struct fixed_scale {
  i32 exponent;
  u32 least; /* floats: exponents from this one on, for so many ... */
  u32 reach; /* ... are in fix_units' reach; both in their place within a float */
  u32 up;    /* integers: by how many bits they are shifted */
  u64 most;  /* integers: the greatest magnitude in reach */
};

HD_DEVICE void units_set(struct units *u, u64 low, u64 high) {
  u->word[0] = (u32)low;
  u->word[1] = (u32)(low >> 32);
#if WORDS == 3
  u->word[2] = (u32)high;
#else
  (void)high;
#endif
}

HD_DEVICE void units_add_units(struct units *to, const struct units *from) {
  u64 low = to->word[0] | (u64)to->word[1] << 32, add = from->word[0] | (u64)from->word[1] << 32;
  low += add;
#if WORDS == 3
  units_set(to, low, (u64)to->word[2] + from->word[2] + (low < add));
#else
  units_set(to, low, 0);
#endif
}

#if HD_TYPE_IS_FLOAT(HEDDLE_WEIGHT)
#if WORDS == 3
#define MANTISSA 52
#define EXPONENTS 2046
#else
#define MANTISSA 23
#define EXPONENTS 254
#endif
#define LEADING ((weight_bits)1 << MANTISSA)
#define SHIFT_MOST (UNITS - MANTISSA - 1) /* of the mantissa of the largest weights */

/* Exponents' bits are compared in the upper word, where they are. */
#define EXPONENT_AT (MANTISSA & 31)

HD_DEVICE struct fixed_scale scale_of(const struct hist_args *a, i32 exponent) {
  struct fixed_scale s;
  (void)a;
  const i32 least = exponent + EXPONENTS / 2 - 1 - SHIFT_MOST; /* exponent of those not shifted */
  const bool usual = least > 0 && least + SHIFT_MOST <= EXPONENTS;
  s.exponent = exponent;
  s.least = (u32)least << EXPONENT_AT;
  s.reach = usual ? (u32)(SHIFT_MOST + 1) << EXPONENT_AT : 0;
  s.up = 0, s.most = 0;
  return s;
}

/* False: *u is not set. */
HD_DEVICE bool fix_units(weight_bits bits, const struct fixed_scale *s, struct units *u) {
#if HEDDLE_WEIGHT == HD_F16
  bits = hd_bits_f32(f32_of_f16((u16)bits));
#elif HEDDLE_WEIGHT == HD_BF16
  bits <<= 16;
#endif
  const u32 upper = (u32)(bits >> (MANTISSA - EXPONENT_AT));
  const u32 beyond = (upper & (u32)(EXPONENTS + 1) << EXPONENT_AT) - s->least;
  const u32 up = beyond >> EXPONENT_AT, sign = (u32)((i32)upper >> 31);
#if WORDS == 3
  const u64 signs = sign | (u64)sign << 32,
            m = (((bits & (LEADING - 1)) | LEADING) ^ signs) - signs;
  u->word[0] = __funnelshift_l(0, (u32)m, up);
  u->word[1] = __funnelshift_l((u32)m, (u32)(m >> 32), up);
  u->word[2] = __funnelshift_l((u32)(m >> 32), sign, up);
#else
  const u32 m = (((bits & (LEADING - 1)) | LEADING) ^ sign) - sign;
  u->word[0] = __funnelshift_l(0, m, up);
  u->word[1] = __funnelshift_l(m, sign, up);
#endif
  return beyond < s->reach;
}
#else
HD_DEVICE struct fixed_scale scale_of(const struct hist_args *a, i32 exponent) {
  struct fixed_scale s;
  (void)a;
  const i32 up = UNITS - exponent;
  s.exponent = exponent;
  s.least = 0, s.reach = 0;
  s.up = up < 0 || up > UNITS ? 0 : (u32)up;
  s.most = exponent <= 0 || up < 0 ? 0 : exponent >= 64 ? ~0ull : (1ull << exponent) - 1;
  return s;
}

HD_DEVICE bool fix_units(weight_bits bits, const struct fixed_scale *s, struct units *u) {
#if HEDDLE_WEIGHT == HD_U64
  const u64 value = bits, sign = 0;
#elif HEDDLE_WEIGHT == HD_I8
  const u64 value = (u64)(i8)bits, sign = (u64)((i64)value >> 63);
#elif HEDDLE_WEIGHT == HD_I16
  const u64 value = (u64)(i16)bits, sign = (u64)((i64)value >> 63);
#elif HD_TYPE_IS_SIGNED(HEDDLE_WEIGHT) /* of 4 or 8 bytes */
  const u64 value = WEIGHT_BYTES == 8 ? bits : (u64)(i32)bits, sign = (u64)((i64)value >> 63);
#else
  const u64 value = bits, sign = 0;
#endif
  const bool fits = (value ^ sign) - sign <= s->most;
  const u64 kept = fits ? value : 0;
  const u64 shifted = s->up < 64 ? kept << s->up : 0;
#if WORDS == 3
  const u64 over = s->up ? kept >> 1 >> (63 - (s->up & 63)) : 0;
  const u64 signs = fits && s->up < 64 ? sign << s->up : 0;
  units_set(u, shifted, s->up < 64 ? signs | over : kept << (s->up - 64));
#else
  units_set(u, shifted, 0);
#endif
  return fits;
}
#endif

/* words[k * stride] is word k of a counter. Adds the lowest word; returns its carry. */
HD_DEVICE u32 units_add_low(u32 *words, const struct units *u) {
  u32 before = atomicAdd(words, u->word[0]);
  return before + u->word[0] < before;
}

/* Adds the others. */
HD_DEVICE void units_add_rest(u32 *words, u32 stride, const struct units *u, u32 carry) {
#if WORDS == 3
  u32 next = u->word[1] + carry;
  carry = next < carry;
  u32 before = atomicAdd(words + stride, next);
  carry += before + next < before;
#endif
  atomicAdd(words + (WORDS - 1) * stride, u->word[WORDS - 1] + carry);
}

/* Adds the lower 64 bits to a counter's units in global memory; returns what is left for the upper. */
HD_DEVICE u64 units_add_global_low(const struct hist_args *a, u64 counter, const struct units *u) {
  const u64 low = u->word[0] | (u64)u->word[1] << 32;
  const u64 before = low ? atomicAdd((u64 *)a->units + 2 * counter, low) : 0;
#if WORDS == 3
  return (u64)(i64)(i32)u->word[2] + (before + low < before);
#else
  return (u64)((i64)low >> 63) + (before + low < before);
#endif
}

HD_DEVICE void units_add_global_high(const struct hist_args *a, u64 counter, u64 high) {
  if (high) memory_add64((u64 *)a->units + 2 * counter + 1, high);
}

/* A counter's words, of `copies` side by side, added to its sum. */
HD_DEVICE void units_flush(const struct hist_args *a, const u32 *words, u32 stride, u32 copies,
                           u64 counter) {
  u64 low = 0, high = 0;
  for (u32 i = 0; i < copies; i++) { /* lanes begin at different banks */
    const u32 *at = words + ((i + threadIdx.x) & (copies - 1));
    u64 value = at[0] | (u64)at[stride] << 32, top;
#if WORDS == 3
    top = (u64)(i64)(i32)at[2 * stride];
#else
    top = (u64)((i64)value >> 63);
#endif
    low += value;
    high += top + (low < value);
  }
  amount_add(a, counter, low << REST_BITS, high << REST_BITS | low >> (64 - REST_BITS));
}

#endif

#endif
