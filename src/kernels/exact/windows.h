/* windows.h - a warp's elements summed by ordinary additions of f64 that do not round
 *
 * Result   struct windows         what a lane has summed
 *          warp_windows_start     nothing, of a warp that has seen nothing
 *          warp_windows_take      EXACT_ELEMENTS elements more a lane, in words
 *          warp_windows_flush     brings what there is into the block's sum
 * Defines  as sum.h; HEDDLE_NAN 1: what is NaN counts as zero
 *          HEDDLE_FORM   EXACT_BY_BLOCK and so on
 * Who      all 32 lanes of a warp arrive
 * Method   Lanes have accumulators of their own, of windows that are the warp's: window w takes what elements
 *          below 2^top have down to 2^(top - (w + 1) EXACT_BITS), by adding and taking off 1.5 * 2^(52 + that); behind the last one
 *          f64 itself has room for EXACT_BITS more. Words say whether all elements of a batch fit. Those that
 *          are too large make the warp begin again with another top, and many that are too small with more windows;
 *          few of those, and what is no number, go into the block's sum one by one.
 * Limits   a lane takes EXACT_ROOM elements before the accumulators are brought away
 * Source   docs/order.md, "Why exact sums are exact" */
#ifndef HEDDLE_KERNELS_EXACT_WINDOWS_H
#define HEDDLE_KERNELS_EXACT_WINDOWS_H

#include "sum.h"

/* HEDDLE_FORM: who shares a sum. */
#define EXACT_BY_BLOCK 0 /* all warps of a block */
#define EXACT_BY_WARP 1  /* a warp alone: few elements go without limbs */
#define EXACT_BY_LANE 2  /* a lane alone, of several warps; the same */

#if HEDDLE_FORM == EXACT_BY_BLOCK
#define EXACT_BITS 44
#define EXACT_ROOM 512 /* 2^(53 - EXACT_BITS) */
#else
#define EXACT_BITS 42
#define EXACT_ROOM 2048 /* of all lanes that share a sum */
#endif
/* Of f32 as many as all its exponents need, where many elements share a sum. */
#define EXACT_LEVELS \
  (HEDDLE_TYPE == HD_F32 && !EXACT_IS_PRODUCT && HEDDLE_FORM == EXACT_BY_BLOCK ? 6 : 3)

/* Vectors of 16 bytes of an array that a lane takes at once: as registers hold, or as the host says. */
#ifdef HEDDLE_LOADS
#define EXACT_LOADS HEDDLE_LOADS
#elif HEDDLE_FORM == EXACT_BY_WARP && ELEMENT_BYTES < 8
#define EXACT_LOADS (8 * ELEMENT_BYTES / 16)
#elif EXACT_IS_PRODUCT
#define EXACT_LOADS (ELEMENT_BYTES == 2 ? 1 : 2)
#else
#define EXACT_LOADS (ELEMENT_BYTES == 2 ? 2 : 4)
#endif
#define EXACT_EACH (16 / ELEMENT_BYTES) /* elements of one */
#define EXACT_ELEMENTS (EXACT_LOADS * EXACT_EACH)
/* Magnitudes beyond 2^EXACT_TOP_MOST would leave f64's range on the way. */
#define EXACT_TOP_MOST 960
/* Whether the words of elements tell their range; else those of the values do. */
#define EXACT_BY_WORDS (!EXACT_IS_PRODUCT && HEDDLE_TYPE == HD_F32)

struct windows {
  f64 sum[EXACT_LEVELS + 1];
#if EXACT_SPLITS
  f64 error[EXACT_LEVELS + 1];
#endif
  /* The same in all lanes: */
  i32 top;
  u32 levels, taken; /* windows; elements since the last flush */
  bool full;         /* the next batch needs a flush before */
  bool spilled;      /* something is in limbs since warp_windows_begin */
  u32 below, least;  /* words of magnitudes that fit: below, and from; all ones of zero */
};

/* The last bit's exponent of the least number that is summed. */
HD_DEVICE i32 exact_lowest(void) {
  return EXACT_IS_PRODUCT && !EXACT_SPLITS ? 2 * exact_element().least : exact_element().least;
}
HD_DEVICE i32 exact_precision(void) {
  return EXACT_IS_PRODUCT && !EXACT_SPLITS ? 2 * exact_element().precision
                                           : exact_element().precision;
}

/* The exponent of window w's unit; that of w = levels is what f64 itself has room for. */
HD_DEVICE i32 windows_unit(i32 top, u32 w) {
  const i32 unit = top - (i32)(w + 1) * EXACT_BITS;
  return unit > -1074 ? unit : -1074;
}
HD_DEVICE f64 windows_number(i32 top, u32 w) {
  return hd_f64_of_bits((u64)(windows_unit(top, w) + 52 + 1023) << 52 | (u64)1 << 51);
}

/* The word of 2^exponent, as magnitudes are compared. */
HD_DEVICE u32 windows_word(i32 exponent) {
#if EXACT_BY_WORDS
  const i32 biased = exponent + 127;
  return biased <= 0 ? 0 : biased >= 255 ? 0x7f800000u : (u32)biased << 23;
#else
  const i32 biased = exponent + 1023;
  return biased <= 0 ? 0 : biased >= 2047 ? 0x7ff00000u : (u32)biased << 20;
#endif
}

/* Elements fit from this exponent on, so that their last bits are not below the last unit. */
HD_DEVICE void warp_windows_limits(struct windows *s) {
  const i32 unit = s->top - (i32)(s->levels + 1) * EXACT_BITS;
  s->below = windows_word(s->top);
  s->least = unit <= exact_lowest() ? 0 : windows_word(unit + exact_precision() - 1);
}

HD_DEVICE void warp_windows_start(struct windows *s) {
#pragma unroll
  for (u32 w = 0; w <= EXACT_LEVELS; w++) s->sum[w] = 0;
#if EXACT_SPLITS
#pragma unroll
  for (u32 w = 0; w <= EXACT_LEVELS; w++) s->error[w] = 0;
#endif
  s->top = -1074, s->taken = 0, s->spilled = s->full = false;
  s->levels = HEDDLE_TYPE == HD_F64 || EXACT_IS_PRODUCT ? 1 : 0;
  s->below = s->least = 0; /* nothing fits but zeros */
}

/* 2^-exponent in two factors, since it may be beyond f64 */
HD_DEVICE f64 exact_power(i32 exponent) { return hd_f64_of_bits((u64)(exponent + 1023) << 52); }

/* A window of all lanes as one integer of its unit, into the sum; lane 0 adds. By lanes: each its own. */
static __device__ __noinline__ void warp_flush_window(struct hd_exact *sum, f64 value, i32 unit) {
  const i32 half = unit / 2;
  i64 integer = (i64)(value * exact_power(-half) * exact_power(half - unit));
#if HEDDLE_FORM == EXACT_BY_LANE
  const bool adds = true;
#else
  const bool adds = (threadIdx.x & 31) == 0;
#pragma unroll
  for (int d = 16; d; d /= 2) integer += (i64)__shfl_xor_sync(HD_ALL, (u64)integer, d);
#endif
  if (adds && integer) thread_sum_integer(sum, integer, unit);
}

HD_DEVICE void warp_windows_flush(struct windows *s, struct hd_exact *sum) {
  if (!s->taken) return;
#pragma unroll
  for (u32 w = 0; w <= EXACT_LEVELS; w++) {
    if (w > s->levels) break;
    warp_flush_window(sum, s->sum[w], windows_unit(s->top, w));
    s->sum[w] = 0;
#if EXACT_SPLITS
    warp_flush_window(sum, s->error[w], windows_unit(s->top - 53, w));
    s->error[w] = 0;
#endif
  }
  s->taken = 0, s->full = false, s->spilled = true;
}

/* A row begins: what the last one was like is a guess, unless it was bad. */
HD_DEVICE void warp_windows_begin(struct windows *s) {
  if (s->spilled) s->top = -1074, s->below = s->least = 0;
  s->spilled = false;
}

/* The result of what is in the windows alone, of at most EXACT_ROOM elements in one sum; false: it takes
 * limbs. Nothing is left in the windows then. */
HD_DEVICE bool warp_windows_short(struct windows *s, bool odd, f64 *result) {
  if (s->spilled || s->levels > 1 || EXACT_SPLITS) return false;
#pragma unroll
  for (u32 w = 0; w < 2; w++) {
    if (w > s->levels) break;
#if HEDDLE_FORM == EXACT_BY_WARP
#pragma unroll
    for (int d = 16; d; d /= 2)
      s->sum[w] += __longlong_as_double((i64)__shfl_xor_sync(HD_ALL, hd_bits_f64(s->sum[w]), d));
#endif
  }
  *result = hd_exact_round_two(s->sum[0], s->sum[1], odd);
  s->sum[0] = s->sum[1] = 0, s->taken = 0, s->full = false;
  return true;
}

/* ---- elements ------------------------------------------------------------------------------------ */

#if EXACT_BY_WORDS
typedef f32 exact_float;
#else
typedef f64 exact_float;
#endif

/* What an element, or a product, counts as, and of a product of f64 its factors. */
struct exact_value {
  exact_float value;
#if EXACT_SPLITS
  f64 x, y;
#endif
};

HD_DEVICE struct exact_value exact_value_of(const u32 *wx, const u32 *wy, int i) {
  struct exact_value v;
#if EXACT_BY_WORDS
  const f32 x = word_element(wx, i);
#else
  const f64 x = to_f64(word_element(wx, i));
#endif
#if EXACT_IS_PRODUCT
  const f64 y = HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS ? to_f64(word_element(wy, i)) : x;
  v.value = x * y;
#else
  v.value = x;
  (void)wy;
#endif
#if EXACT_SPLITS
  v.x = x, v.y = y;
#endif
  if (HEDDLE_NAN && v.value != v.value) {
    v.value = 0;
#if EXACT_SPLITS
    v.x = v.y = 0;
#endif
  }
  return v;
}

/* The word of a magnitude, less one unit of its format in `low`, by which zero is the greatest. */
HD_DEVICE u32 exact_word(const struct exact_value *v, u32 *low) {
#if EXACT_BY_WORDS
  const u32 magnitude = hd_bits_f32(v->value) & 0x7fffffffu;
  *low = magnitude - 1;
  return magnitude;
#else
  const u64 magnitude = hd_bits_f64(v->value) & (u64)HD_I64_MAX;
  *low = (u32)((magnitude - 1) >> 32);
  return (u32)(magnitude >> 32);
#endif
}

#if EXACT_SPLITS
/* Whether what the product lost is a number of f64, or the product is zero because a factor is. */
HD_DEVICE bool exact_is_whole(const struct exact_value *v) {
  const u32 ex = (u32)(hd_bits_f64(v->x) >> 52) & 0x7ffu,
            ey = (u32)(hd_bits_f64(v->y) >> 52) & 0x7ffu;
  return v->x == 0 || v->y == 0 || (ex && ey && ex + ey >= 2 * 1023 - 1074 + 2 * 52);
}
#endif

HD_DEVICE bool exact_fits(const struct windows *s, const struct exact_value *v) {
  u32 low;
  const u32 word = exact_word(v, &low);
#if EXACT_SPLITS
  if (!exact_is_whole(v)) return false;
#endif
  return word < s->below && low >= s->least;
}

HD_DEVICE void exact_cut(f64 *sum, f64 value, i32 top, u32 levels) {
#pragma unroll
  for (u32 w = 0; w < EXACT_LEVELS; w++) {
    if (w == levels) break;
    const f64 number = windows_number(top, w), part = (value + number) - number;
    sum[w] += part;
    value -= part;
  }
  sum[levels] += value;
}

HD_DEVICE void thread_add(struct windows *s, const u32 *wx, const u32 *wy, u32 levels) {
#pragma unroll
  for (int i = 0; i < EXACT_ELEMENTS; i++) {
    const struct exact_value v = exact_value_of(wx, wy, i);
    exact_cut(s->sum, (f64)v.value, s->top, levels);
#if EXACT_SPLITS
    exact_cut(s->error, __fma_rn(v.x, v.y, -v.value), s->top - 53, levels);
#endif
  }
}

/* ---- batches ------------------------------------------------------------------------------------- */

/* Whether every element of the warp fits. */
HD_DEVICE bool warp_fit(const struct windows *s, const u32 *wx, const u32 *wy) {
  u32 most = 0, least = ~0u;
  bool whole = true;
#pragma unroll
  for (int i = 0; i < EXACT_ELEMENTS; i++) {
    const struct exact_value v = exact_value_of(wx, wy, i);
    u32 low;
    const u32 word = exact_word(&v, &low);
    most = max(most, word), least = min(least, low);
#if EXACT_SPLITS
    whole = whole && exact_is_whole(&v);
#endif
  }
  return __all_sync(HD_ALL, most < s->below && least >= s->least && whole);
}

/* The greatest word of a number, and the least of one that is not zero, of all lanes. */
HD_DEVICE void warp_range(const u32 *wx, const u32 *wy, u32 *most, u32 *least) {
  *most = 0, *least = ~0u;
#pragma unroll
  for (int i = 0; i < EXACT_ELEMENTS; i++) {
    const struct exact_value v = exact_value_of(wx, wy, i);
    u32 low;
    const u32 word = exact_word(&v, &low);
    if (word < windows_word(EXACT_TOP_MOST)) *most = max(*most, word), *least = min(*least, low);
  }
#pragma unroll
  for (int d = 16; d; d /= 2) {
    *most = max(*most, __shfl_xor_sync(HD_ALL, *most, d));
    *least = min(*least, __shfl_xor_sync(HD_ALL, *least, d));
  }
}

/* The exponent of a word, of 1 to 2. */
HD_DEVICE i32 windows_exponent(u32 word) {
  return EXACT_BY_WORDS ? (i32)(word >> 23) - 127 : (i32)(word >> 20) - 1023;
}

/* Windows that a batch between these words needs, as many as there are if not even those do. */
HD_DEVICE u32 windows_needed(i32 top, u32 least) {
  const i32 unit = windows_exponent(least) - exact_precision() + 1;
  const i32 spread = top - (unit > exact_lowest() ? unit : exact_lowest());
  u32 levels = 0;
  while (levels < EXACT_LEVELS && spread > (i32)(levels + 1) * EXACT_BITS) levels++;
  return levels > 3 ? EXACT_LEVELS : levels; /* as thread_add has them */
}

/* A batch does not fit: a top above its elements, if one is too large, and more windows, if many are too small.
 * The top leaves room for a few greater ones. */
HD_DEVICE void warp_adapt(struct windows *s, struct hd_exact *sum, const u32 *wx, const u32 *wy) {
  u32 most, least, low;
  warp_range(wx, wy, &most, &least);
  if (most >= s->below) {
    warp_windows_flush(s, sum);
    s->top = windows_exponent(most) + 2;
    warp_windows_limits(s);
  }
  bool odd = false;
#pragma unroll
  for (int i = 0; i < EXACT_ELEMENTS; i++) {
    const struct exact_value v = exact_value_of(wx, wy, i);
    odd = odd || (exact_word(&v, &low) < s->below && low < s->least);
  }
  if (__popc(__ballot_sync(HD_ALL, odd)) <= 4) return;
  const u32 levels = windows_needed(s->top, least);
  if (levels <= s->levels) return;
  warp_windows_flush(s, sum);
  s->levels = levels;
  warp_windows_limits(s);
}

/* Element i (a constant once unrolled) of words becomes zero. */
HD_DEVICE void exact_word_clear(u32 *words, int i) {
#if ELEMENT_BYTES == 2
  words[i / 2] &= i % 2 ? 0xffffu : 0xffff0000u;
#elif ELEMENT_BYTES == 4
  words[i] = 0;
#else
  words[2 * i] = words[2 * i + 1] = 0;
#endif
}

/* Elements that do not fit, one by one; their words become zero. */
HD_DEVICE bool thread_take_odd(const struct windows *s, struct hd_exact *sum, u32 *wx, u32 *wy) {
  bool odd = false;
#pragma unroll
  for (int i = 0; i < EXACT_ELEMENTS; i++) {
    const struct exact_value v = exact_value_of(wx, wy, i);
    if (exact_fits(s, &v)) continue;
#if EXACT_SPLITS
    thread_sum_product(sum, v.x, v.y);
#else
    thread_sum_value(sum, (f64)v.value);
#endif
    exact_word_clear(wx, i);
    if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS) exact_word_clear(wy, i);
    odd = true;
  }
  return odd;
}

HD_DEVICE void warp_windows_take(struct windows *s, struct hd_exact *sum, u32 *wx, u32 *wy) {
  if (s->full) warp_windows_flush(s, sum);
  if (!warp_fit(s, wx, wy)) {
    warp_adapt(s, sum, wx, wy);
    const bool odd = thread_take_odd(s, sum, wx, wy);
    s->spilled = s->spilled || __any_sync(HD_ALL, odd);
  }
  switch (s->levels) {
  case 0: thread_add(s, wx, wy, 0); break;
  case 1: thread_add(s, wx, wy, 1); break;
  case 2: thread_add(s, wx, wy, 2); break;
  case 3: thread_add(s, wx, wy, 3); break;
  default: thread_add(s, wx, wy, EXACT_LEVELS); break;
  }
  s->taken += EXACT_ELEMENTS * (HEDDLE_FORM == EXACT_BY_WARP ? 32 : 1);
  if (s->taken + EXACT_ELEMENTS * (HEDDLE_FORM == EXACT_BY_WARP ? 32 : 1) > EXACT_ROOM)
    s->full = true;
}

#endif
