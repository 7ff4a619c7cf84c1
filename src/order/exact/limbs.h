/* limbs.h - exact sums of floats as integers: the real sum of all elements (docs/order.md, rule 15)
 *
 * Result   a sum that no order, partition or device can change, because it is an integer: limbs of 32
 *          bits on one grid for all types, the least bit of limb i being 2^(32 (i - HD_EXACT_BELOW)).
 * Method   A limb is an i64 that takes more than its 32 bits and hands the rest on when it is carried.
 *          After hd_exact_carry all limbs but the last are 0 to 2^32 - 1, and the last has the sign: equal sums
 *          have equal limbs. Only the limbs of a span are ever touched, by the type of what is summed.
 * Limits   NaN and infinities are counted beside the sum. What is summed is below 2^64 elements.
 *
 * C and CUDA C++ both read it. */
#ifndef HEDDLE_ORDER_EXACT_LIMBS_H
#define HEDDLE_ORDER_EXACT_LIMBS_H

#include "order/float_bits.h"

/* Limbs below the unit and in all: products of f64 end at 2^-2148, and four more limbs hold what a
 * quotient leaves below. The greatest sum of 2^64 of them is below 2^2112. */
#define HD_EXACT_BELOW 72
#define HD_EXACT_LIMBS 140
#define HD_EXACT_QUOTIENT_LIMBS 4
/* A part of what is added is below 2^33 in magnitude: so many may come between carries. */
#define HD_EXACT_ROOM ((u64)1 << 29)

struct hd_exact {
  u64 nan, plus, minus; /* how many NaN, +inf and -inf */
  u64 added;            /* elements since the limbs were carried */
  i64 limb[HD_EXACT_LIMBS];
};

/* Limbs first to end - 1 are those of a kind of sum. */
struct hd_exact_span {
  u32 first, end;
};

/* A binary format: bits of a significand, the exponent of its least number, and the least power of two
 * that it does not have. */
struct hd_exact_format {
  i32 precision, least, most;
};

#define HD_EXACT_F16 11, -24, 16
#define HD_EXACT_BF16 8, -133, 128
#define HD_EXACT_F32 24, -149, 128
#define HD_EXACT_F64 53, -1074, 1024

HD_FUNCTION struct hd_exact_format hd_exact_format_of(i32 precision, i32 least, i32 most) {
  struct hd_exact_format format;
  format.precision = precision, format.least = least, format.most = most;
  return format;
}

/* Of sums of numbers of the format, or of products of two of them. Narrow ones come as f64, whose significand
 * reaches further down. */
HD_FUNCTION struct hd_exact_span hd_exact_span_of(struct hd_exact_format of, bool products) {
  const i32 most = products ? 2 * of.most : of.most;
  const i32 least = (products ? 2 * of.least : of.least) - (of.precision < 53 ? 52 : 0);
  struct hd_exact_span span;
  span.first = (u32)(least + 32 * HD_EXACT_BELOW) / 32;
  span.end = (u32)(most + 64 + 31 + 32 * HD_EXACT_BELOW) / 32;
  return span;
}

HD_FUNCTION void hd_exact_clear(struct hd_exact *sum, struct hd_exact_span span) {
  sum->nan = sum->plus = sum->minus = sum->added = 0;
  for (u32 i = span.first; i < span.end; i++) sum->limb[i] = 0;
}

/* Carries all limbs: the form in which equal sums are equal. */
HD_FUNCTION void hd_exact_carry(struct hd_exact *sum, struct hd_exact_span span) {
  for (u32 i = span.first; i + 1 < span.end; i++) {
    sum->limb[i + 1] += sum->limb[i] >> 32;
    sum->limb[i] &= (i64)0xffffffff;
  }
  sum->added = 0;
}

/* ---- adding ------------------------------------------------------------------------------------ */

/* An integer on the grid: part[k] belongs to limb `limb` + k. Each is below 2^33 in magnitude. */
struct hd_exact_parts {
  u32 limb;
  i64 part[3];
};

/* integer * 2^exponent, where the integer is below 2^62 in magnitude. */
HD_FUNCTION struct hd_exact_parts hd_exact_split(i64 integer, i32 exponent) {
  const u32 bit = (u32)(exponent + 32 * HD_EXACT_BELOW), shift = bit & 31u;
  const u64 low = ((u64)integer & 0xffffffffu) << shift;
  const i64 high = (integer >> 32) * ((i64)1 << shift);
  struct hd_exact_parts parts;
  parts.limb = bit >> 5;
  parts.part[0] = (i64)(low & 0xffffffffu);
  parts.part[1] = (i64)(low >> 32) + (high & (i64)0xffffffff);
  parts.part[2] = high >> 32;
  return parts;
}

/* A finite f64 as an integer and an exponent: x = integer * 2^exponent. */
HD_FUNCTION i64 hd_exact_integer(f64 x, i32 *exponent) {
  const u64 bits = hd_bits_f64(x), fraction = bits & (((u64)1 << 52) - 1);
  const u32 biased = (u32)(bits >> 52) & 0x7ffu;
  const i64 magnitude = (i64)(biased ? fraction | (u64)1 << 52 : fraction);
  *exponent = (i32)(biased ? biased : 1u) - 1075;
  return bits >> 63 ? -magnitude : magnitude;
}

HD_FUNCTION void hd_exact_add_parts(struct hd_exact *sum, const struct hd_exact_parts *parts) {
  for (u32 k = 0; k < 3; k++) sum->limb[parts->limb + k] += parts->part[k];
}

/* To be called for every element added: carries in time. */
HD_FUNCTION void hd_exact_keep(struct hd_exact *sum, struct hd_exact_span span) {
  if (++sum->added >= HD_EXACT_ROOM) hd_exact_carry(sum, span);
}

/* Whether x is no number, which is counted here. */
HD_FUNCTION bool hd_exact_special(struct hd_exact *sum, f64 x) {
  if (x - x == 0) return false;
  sum->nan += x != x, sum->plus += x > 0, sum->minus += x < 0;
  return true;
}

HD_FUNCTION void hd_exact_add(struct hd_exact *sum, struct hd_exact_span span, f64 x) {
  i32 exponent;
  if (x == 0 || hd_exact_special(sum, x)) return;
  const i64 integer = hd_exact_integer(x, &exponent);
  const struct hd_exact_parts parts = hd_exact_split(integer, exponent);
  hd_exact_add_parts(sum, &parts);
  hd_exact_keep(sum, span);
}

/* The product of two finite numbers on the grid, by halves of 27 bits. */
HD_FUNCTION void hd_exact_split_product(f64 x, f64 y, struct hd_exact_parts parts[3]) {
  i32 ex, ey;
  const i64 a = hd_exact_integer(x, &ex), b = hd_exact_integer(y, &ey);
  const i64 mask = ((i64)1 << 27) - 1;
  const i64 a1 = a >> 27, a0 = a & mask, b1 = b >> 27, b0 = b & mask;
  parts[0] = hd_exact_split(a0 * b0, ex + ey);
  parts[1] = hd_exact_split(a1 * b0 + a0 * b1, ex + ey + 27);
  parts[2] = hd_exact_split(a1 * b1, ex + ey + 54);
}

/* x * y, whatever f64 makes of it. */
HD_FUNCTION void hd_exact_add_product(struct hd_exact *sum, struct hd_exact_span span, f64 x,
                                      f64 y) {
  struct hd_exact_parts parts[3];
  if (!(x - x == 0) || !(y - y == 0)) {
    (void)hd_exact_special(sum, x * y);
    return;
  }
  hd_exact_split_product(x, y, parts);
  for (u32 i = 0; i < 3; i++) hd_exact_add_parts(sum, &parts[i]);
  sum->added += 2;
  hd_exact_keep(sum, span);
}

/* *sum gains *other, of one span. */
HD_FUNCTION void hd_exact_merge(struct hd_exact *sum, const struct hd_exact *other,
                                struct hd_exact_span span) {
  sum->nan += other->nan, sum->plus += other->plus, sum->minus += other->minus;
  if (sum->added + other->added >= HD_EXACT_ROOM) hd_exact_carry(sum, span);
  for (u32 i = span.first; i < span.end; i++) sum->limb[i] += other->limb[i];
  sum->added += other->added + 1;
}

#endif
