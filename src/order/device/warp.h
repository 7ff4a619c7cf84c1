/* warp.h - totals between the lanes of a warp
 *
 * Result   warp_xor, warp_down, warp_from  another lane's total, of any size
 *          warp_pairs(t, k)     one level of a tree over neighbours: blocks of 2^k lanes become
 *                               blocks of 2^(k+1)
 *          warp_tree(t, levels) the balanced tree over aligned blocks of 2^levels neighbours (rule
 *          3)
 *          warp_halves(t, lanes)  lane j op lane j + h for h = lanes/2 .. 1 (rule 2)
 *          warp_first(acc, t, d)  acc, then biggest first the aligned blocks that tile the first
 *                               d < 32 lanes (rules 4 and 5); warp_first_rolled: the same
 * Defines  as total.h
 * Who      all 32 lanes arrive, with equal levels, lanes and d; what a function says is held by
 *          all lanes of the block, or by lane 0 alone
 * Method   butterflies: the left operand is the lower lane's, also where operators do not commute
 * Source   docs/order.md */
#ifndef HEDDLE_ORDER_DEVICE_WARP_H
#define HEDDLE_ORDER_DEVICE_WARP_H

#include "total.h"

#define TOTAL_WORDS ((int)((sizeof(total) + 3) / 4))

/* Totals as words; the bytes behind an odd-sized total are zero. */
struct total_words {
  u32 word[TOTAL_WORDS];
};
HD_DEVICE struct total_words words_of_total(total t) {
  struct total_words words;
  words.word[TOTAL_WORDS - 1] = 0;
  memcpy(&words, &t, sizeof t);
  return words;
}
HD_DEVICE total total_of_words(struct total_words words) {
  total t;
  memcpy(&t, &words, sizeof t);
  return t;
}

/* Totals of many words take a hundred instructions to exchange and join: in loops, or a kernel of
 * many trees takes seconds to compile; those of a variance divide. */
enum { WARP_UNROLL = sizeof(total) > 24 || TOTAL_KIND == HD_TOTAL_VARIANCE ? 1 : 5 };

enum { WARP_XOR, WARP_DOWN, WARP_FROM };

/* The total of lane `lane` ^ by, of lane + by (beyond the warp: one's own), of lane `by`. */
HD_DEVICE total warp_shuffle(int way, total t, u32 by) {
  struct total_words words = words_of_total(t);
#pragma unroll
  for (int i = 0; i < TOTAL_WORDS; i++) {
    const u32 word = words.word[i];
    words.word[i] = way == WARP_XOR    ? __shfl_xor_sync(HD_ALL, word, (int)by)
                    : way == WARP_DOWN ? __shfl_down_sync(HD_ALL, word, by)
                                       : __shfl_sync(HD_ALL, word, (int)by);
  }
  return total_of_words(words);
}
HD_DEVICE total warp_xor(total t, int mask) { return warp_shuffle(WARP_XOR, t, (u32)mask); }
HD_DEVICE total warp_down(total t, u32 step) { return warp_shuffle(WARP_DOWN, t, step); }
HD_DEVICE total warp_from(total t, u32 from) { return warp_shuffle(WARP_FROM, t, from); }

HD_DEVICE u32 warp_lane(void) { return threadIdx.x & 31u; }

/* own op other, where the lane whose bit of `mask` is set holds the right operand. */
HD_DEVICE total warp_ordered(total own, total other, int mask) {
#if TOTAL_COMMUTES
  (void)mask;
  return total_op(own, other);
#else
  bool right = (warp_lane() & (u32)mask) != 0;
  return total_op(right ? other : own, right ? own : other);
#endif
}

/* Every lane of an aligned block of 2^(k+1) lanes holds its total, given those of 2^k. */
HD_DEVICE total warp_pairs(total t, int k) { return warp_ordered(t, warp_xor(t, 1 << k), 1 << k); }

/* Every lane holds the total of its aligned block of 2^levels lanes. */
HD_DEVICE total warp_tree(total t, int levels) {
#pragma unroll WARP_UNROLL
  for (int k = 0; k < 5; k++)
    if (k < levels) t = warp_pairs(t, k);
  return t;
}

/* Lanes 0 .. lanes-1 are columns, `lanes` a power of two: every one of them holds the fold of
 * halves on halves. */
HD_DEVICE total warp_halves(total t, int lanes) {
#pragma unroll WARP_UNROLL
  for (int h = 16; h; h >>= 1)
    if (h < lanes) t = warp_ordered(t, warp_xor(t, h), h);
  return t;
}

/* block[k]: the total of the lane's aligned block of 2^k lanes. */
HD_DEVICE void warp_blocks(total t, total block[5]) {
  block[0] = t;
#pragma unroll
  for (int k = 1; k < 5; k++) block[k] = warp_pairs(block[k - 1], k - 1);
}

/* Every lane holds acc op the blocks of lanes 0 .. d-1, d < 32; acc is the same in all lanes. What
 * lanes from d on hold does not matter. Few registers and predicates: for what is done once a
 * row. */
HD_DEVICE total warp_first_rolled(total acc, total t, u32 d) {
#if TOTAL_IS_ORDER_FREE
  return total_op(acc, warp_tree(warp_lane() < d ? t : total_identity(), 5));
#else
#pragma unroll 1
  for (u32 h = 16; h; h /= 2) {
    total block = t;
    if (!(d & h)) continue;
#pragma unroll 1
    for (u32 k = 1; k < h; k *= 2) block = warp_ordered(block, warp_xor(block, (int)k), (int)k);
    acc = total_op(acc, warp_from(block, d & ~(2 * h - 1)));
  }
  return acc;
#endif
}

/* The same, quicker. */
HD_DEVICE total warp_first(total acc, total t, u32 d) {
  if (TOTAL_IS_ORDER_FREE || WARP_UNROLL == 1) return warp_first_rolled(acc, t, d);
  total block[5];
  warp_blocks(t, block);
#pragma unroll
  for (int k = 4; k >= 0; k--) {
    total next = warp_from(block[k], (d >> k & ~1u) << k);
    if (d >> k & 1u) acc = total_op(acc, next);
  }
  return acc;
}

#endif
