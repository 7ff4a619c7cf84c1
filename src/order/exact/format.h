/* format.h - the binary format of a float type, as exact sums round to it; for C alone */
#ifndef HEDDLE_ORDER_EXACT_FORMAT_H
#define HEDDLE_ORDER_EXACT_FORMAT_H

#include <string.h>

#include "limbs.h"
#include "order/types.h"

/* Of a float type; f64's for any other number. */
static inline struct hd_exact_format hd_exact_format_of_type(heddle_type type) {
  switch (type) {
#define HD_CASE(enum, ...) \
  case HEDDLE_##enum: return hd_exact_format_of(HD_EXACT_##enum);
    HD_FLOAT_TYPES(HD_CASE)
#undef HD_CASE
  default: return hd_exact_format_of(HD_EXACT_F64);
  }
}

/* *sum, whose limbs are those of `wide`, within the span of what was summed, which the sum fits: carried, all
 * other limbs 0. What lies above is its sign. */
static inline void hd_exact_narrow(struct hd_exact *sum, struct hd_exact_span wide,
                                   struct hd_exact_span span) {
  hd_exact_carry(sum, wide);
  if (wide.end > span.end && sum->limb[wide.end - 1] < 0) sum->limb[span.end - 1] -= (i64)1 << 32;
  for (u32 i = 0; i < HD_EXACT_LIMBS; i++)
    if (i < span.first || i >= span.end) sum->limb[i] = 0;
}

/* ---- bytes ------------------------------------------------------------------------------------- */

/* A sum within a span as bytes: u32 which of NaN (4), +inf (1), -inf (2) are there, then u32 limbs, the last one
 * i64. Where there are any of those the limbs say nothing, and are 0. Equal sums have equal bytes. */
static inline size_t hd_exact_packed_bytes(struct hd_exact_span span) {
  return (span.end - span.first - 1) * sizeof(u32) + sizeof(u32) + sizeof(i64);
}
/* *sum is narrow. */
static inline void hd_exact_pack(const struct hd_exact *sum, struct hd_exact_span span, void *to) {
  const u32 marks = (sum->plus ? 1u : 0) | (sum->minus ? 2u : 0) | (sum->nan ? 4u : 0);
  unsigned char *at = to;
  memset(to, 0, hd_exact_packed_bytes(span));
  memcpy(at, &marks, sizeof marks);
  if (marks) return;
  at += sizeof marks;
  for (u32 i = span.first; i + 1 < span.end; i++, at += sizeof(u32)) {
    const u32 limb = (u32)sum->limb[i];
    memcpy(at, &limb, sizeof limb);
  }
  memcpy(at, &sum->limb[span.end - 1], sizeof(i64));
}
/* The sum, carried over all limbs. */
static inline void hd_exact_unpack(const void *from, struct hd_exact_span span,
                                   struct hd_exact *sum) {
  const unsigned char *at = from;
  u32 marks, limb;
  memset(sum, 0, sizeof *sum);
  memcpy(&marks, at, sizeof marks);
  at += sizeof marks;
  sum->plus = marks & 1, sum->minus = marks >> 1 & 1, sum->nan = marks >> 2 & 1;
  for (u32 i = span.first; i + 1 < span.end; i++, at += sizeof limb) {
    memcpy(&limb, at, sizeof limb);
    sum->limb[i] = limb;
  }
  memcpy(&sum->limb[span.end - 1], at, sizeof(i64));
  hd_exact_carry(sum, (struct hd_exact_span){span.first, HD_EXACT_LIMBS});
}

#endif
