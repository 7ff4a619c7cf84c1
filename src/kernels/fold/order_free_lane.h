/* order_free_lane.h - what one thread keeps of the elements it has seen, where any order gives the
 * same
 *
 * Result   lane_start()          nothing seen
 *          lane_take(a, wx, wy)  16 bytes of elements more (dot: and those of y)
 *          lane_total(a)         what they come to
 * Defines  as order/device/total.h
 * Method   Bytes and 16-bit integers are folded as packed words: sums of bytes by dp4a, extremes by
 *          halves of words, any and all by the bit trick that finds a zero byte. All else one by one.
 * Limits   totals with TOTAL_IS_ORDER_FREE; of an argreduce order_free_place.h has the same
 * Source   zero bytes: Mycroft 1987 */
#ifndef HEDDLE_KERNELS_FOLD_ORDER_FREE_LANE_H
#define HEDDLE_KERNELS_FOLD_ORDER_FREE_LANE_H

#include "order/device/total.h"

#define LANE_ELEMENTS (16 / ELEMENT_BYTES)
#define LANE_IS_LOGICAL (TOTAL_KIND == HD_TOTAL_BOOL)
#define LANE_IS_BITS (TOTAL_KIND == HD_TOTAL_INPUT && OP_CLASS == HD_CLASS_BITWISE)
#define LANE_IS_EXTREME (TOTAL_KIND == HD_TOTAL_INPUT && OP_CLASS == HD_CLASS_MINMAX)
#define LANE_SIGN (HD_TYPE_IS_SIGNED(HEDDLE_TYPE) ? 0x80808080u : 0u)

#if TOTAL_KIND == HD_TOTAL_U64 && ELEMENT_BYTES == 1 && HEDDLE_OP == HD_OP_SUM

typedef u64 lane;
HD_DEVICE lane lane_start(void) { return 0; }
HD_DEVICE total lane_total(lane a) { return a; }
HD_DEVICE void lane_take(lane *a, const u32 *wx, const u32 *wy) {
#if HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  i32 part = 0; /* 16 products of at most 2^14 */
#pragma unroll
  for (int i = 0; i < 4; i++)
    part = __dp4a((i32)wx[i], (i32)(HEDDLE_VERB == HD_DOT ? wy[i] : MAP_FACTOR(wx[i], 0x01010101u)),
                  part);
  *a += (u64)(i64)part;
#else
  u32 part = 0;
#pragma unroll
  for (int i = 0; i < 4; i++)
    part = __dp4a(wx[i], HEDDLE_VERB == HD_DOT ? wy[i] : MAP_FACTOR(wx[i], 0x01010101u), part);
  *a += part;
#endif
}

#elif TOTAL_KIND == HD_TOTAL_U64 && ELEMENT_BYTES == 2 && HEDDLE_OP == HD_OP_SUM && \
    HEDDLE_VERB != HD_DOT && HEDDLE_MAP == HD_MAP_VALUE

typedef u64 lane;
HD_DEVICE lane lane_start(void) { return 0; }
HD_DEVICE total lane_total(lane a) { return a; }
HD_DEVICE void lane_take(lane *a, const u32 *wx, const u32 *wy) {
  i32 part = 0; /* 8 elements below 2^16 */
  (void)wy;
#pragma unroll
  for (int e = 0; e < LANE_ELEMENTS; e++) part += word_element(wx, e);
  *a += (u64)(i64)part;
}

#elif LANE_IS_BITS && ELEMENT_BYTES < 4

typedef u32 lane;
HD_DEVICE lane lane_start(void) { return HEDDLE_OP == HD_OP_AND ? ~0u : 0u; }
HD_DEVICE total lane_total(lane a) {
  total t = total_identity();
#pragma unroll
  for (int e = 0; e < 4 / ELEMENT_BYTES; e++) t = total_op(t, total_of(word_element(&a, e)));
  return t;
}
HD_DEVICE void lane_take(lane *a, const u32 *wx, const u32 *wy) {
  (void)wy;
#pragma unroll
  for (int i = 0; i < 4; i++)
    *a = HEDDLE_OP == HD_OP_AND ? *a & wx[i] : HEDDLE_OP == HD_OP_OR ? *a | wx[i] : *a ^ wx[i];
}

#elif LANE_IS_EXTREME && ELEMENT_BYTES < 4

/* Halves of words; of bytes the even and the odd ones apart, their sign bit turned over. */
HD_DEVICE u32 lane_better(u32 a, u32 b) {
#if HEDDLE_TYPE == HD_I16
  return HEDDLE_OP == HD_OP_MIN ? __vmins2(a, b) : __vmaxs2(a, b);
#else
  return HEDDLE_OP == HD_OP_MIN ? __vminu2(a, b) : __vmaxu2(a, b);
#endif
}
typedef struct lane {
  u32 even, odd;
} lane;
HD_DEVICE lane lane_start(void) {
  lane a;
  const u32 signed_word = HEDDLE_TYPE == HD_I16 ? 0x80008000u : 0u;
  a.even = a.odd = (HEDDLE_OP == HD_OP_MIN ? ~0u : 0u) ^ signed_word;
  if (ELEMENT_BYTES == 1) a.even = a.odd &= 0x00ff00ffu;
  return a;
}
HD_DEVICE void lane_take(lane *a, const u32 *wx, const u32 *wy) {
  (void)wy;
#pragma unroll
  for (int i = 0; i < 4; i++) {
#if ELEMENT_BYTES == 1
    const u32 w = wx[i] ^ LANE_SIGN;
    a->even = lane_better(a->even, w & 0x00ff00ffu);
    a->odd = lane_better(a->odd, w >> 8 & 0x00ff00ffu);
#else
    a->even = lane_better(a->even, wx[i]);
#endif
  }
}
HD_DEVICE total lane_total(lane a) {
#if ELEMENT_BYTES == 1
  u32 word = (a.even | a.odd << 8) ^ LANE_SIGN;
#else
  u32 word = a.even;
#endif
  total t = total_of(word_element(&word, 0));
#pragma unroll
  for (int e = 1; e < 4 / ELEMENT_BYTES; e++) t = total_op(t, total_of(word_element(&word, e)));
  return t;
}

#elif LANE_IS_LOGICAL && ELEMENT_BYTES < 8 && !(HEDDLE_NAN && HEDDLE_OP == HD_OP_ANY)

/* The sign of a zero does not count. any: all bits together; all: whether a zero was seen. */
#if HEDDLE_TYPE == HD_F16 || HEDDLE_TYPE == HD_BF16
#define LANE_KEPT 0x7fff7fffu
#elif HEDDLE_TYPE == HD_F32
#define LANE_KEPT 0x7fffffffu
#else
#define LANE_KEPT ~0u
#endif
#if ELEMENT_BYTES == 1
#define LANE_ONES 0x01010101u
#elif ELEMENT_BYTES == 2
#define LANE_ONES 0x00010001u
#else
#define LANE_ONES 1u
#endif
typedef u32 lane;
HD_DEVICE lane lane_start(void) { return 0; }
HD_DEVICE void lane_take(lane *a, const u32 *wx, const u32 *wy) {
  (void)wy;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const u32 w = wx[i] & LANE_KEPT;
    if (HEDDLE_OP == HD_OP_ANY)
      *a |= w;
    else if (ELEMENT_BYTES == 4)
      *a |= w == 0;
    else
      *a |= (w - LANE_ONES) & ~w & LANE_ONES << (8 * ELEMENT_BYTES - 1);
  }
}
HD_DEVICE total lane_total(lane a) { return HEDDLE_OP == HD_OP_ANY ? a != 0 : a == 0; }

#else

typedef total lane;
HD_DEVICE lane lane_start(void) { return total_identity(); }
HD_DEVICE total lane_total(lane a) { return a; }
HD_DEVICE void lane_take(lane *a, const u32 *wx, const u32 *wy) {
  (void)wy;
#pragma unroll
  for (int e = 0; e < LANE_ELEMENTS; e++) {
#if HEDDLE_VERB == HD_DOT
    *a = total_op(*a, total_of_product(word_element(wx, e), word_element(wy, e)));
#else
    *a = total_op(*a, total_of(word_element(wx, e)));
#endif
  }
}

#endif
#endif
