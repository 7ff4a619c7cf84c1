/* element.h - element types: what an array holds, how a lane reads it, and what it is worth
 *
 * Result   element         the type of an element in memory
 *          load_words      1 to 16 bytes as 32-bit words, by the widest loads that are allowed
 *          word_element    one element of those words
 *          to_f32, to_f64  the value of an element; exact for floats (f64 into f64 only)
 * Defines  HEDDLE_TYPE     the number of a heddle_type: HD_U8 .. HD_F64, HD_CUSTOM
 * Method   words are taken apart by shifts with constant counts, so that arrays of them stay in
 *          registers once loops are unrolled
 * Limits   f16 and bf16 are their bits, u16
 * Source   docs/order.md, rules 1, 10 and 12 */
#ifndef HEDDLE_ORDER_DEVICE_ELEMENT_H
#define HEDDLE_ORDER_DEVICE_ELEMENT_H

#include "intrinsics.h"
#include "order/float_bits.h"
#include "types.h"

typedef TYPE_COLUMN(HD_TYPE_NAME) element;
#define ELEMENT_BYTES (TYPE_COLUMN(HD_TYPE_BITS) / 8) /* 0 of a custom one */

/* ---- what an element is worth -------------------------------------------------------------- */

#if HEDDLE_TYPE != HD_CUSTOM
HD_DEVICE f32 to_f32(element x) {
#if HEDDLE_TYPE == HD_F16
  return f32_of_f16(x);
#elif HEDDLE_TYPE == HD_BF16
  return hd_f32_from_bf16(x);
#else
  return (f32)x;
#endif
}

HD_DEVICE f64 to_f64(element x) {
#if HEDDLE_TYPE == HD_F16 || HEDDLE_TYPE == HD_BF16
  return (f64)to_f32(x);
#else
  return (f64)x;
#endif
}

/* ---- words --------------------------------------------------------------------------------- */

/* words[0 ..] = `bytes` (1, 2, 4, 8 or 16) at `from`, which is a multiple of `align` (as many, or
 * fewer); both are constants. Bytes beyond `bytes` in the last word are zero. */
HD_DEVICE void load_words(const void *from, int bytes, int align, u32 *words) {
  if (align >= 16 && bytes == 16) {
    uint4 v = load16(from);
    words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
  } else if (align >= 8 && bytes >= 8) {
#pragma unroll
    for (int i = 0; i < bytes / 8; i++) {
      uint2 v = load8((const u8 *)from + 8 * i);
      words[2 * i] = v.x, words[2 * i + 1] = v.y;
    }
  } else if (align >= 4 && bytes >= 4) {
#pragma unroll
    for (int i = 0; i < bytes / 4; i++) words[i] = load4((const u8 *)from + 4 * i);
  } else if (align >= 2 && bytes >= 2) {
#pragma unroll
    for (int i = 0; i < (bytes + 3) / 4; i++) {
      words[i] = load2((const u8 *)from + 4 * i);
      if (4 * i + 2 < bytes) words[i] |= (u32)load2((const u8 *)from + 4 * i + 2) << 16;
    }
  } else {
#pragma unroll
    for (int i = 0; i < (bytes + 3) / 4; i++) {
      words[i] = 0;
#pragma unroll
      for (int b = 0; b < 4 && 4 * i + b < bytes; b++)
        words[i] |= (u32)load1((const u8 *)from + 4 * i + b) << (8 * b);
    }
  }
}

/* Element i (a constant once unrolled) of words. */
HD_DEVICE element word_element(const u32 *words, int i) {
#if ELEMENT_BYTES == 1
  return (element)(words[i / 4] >> (8 * (i % 4)));
#elif ELEMENT_BYTES == 2
  return (element)(words[i / 2] >> (16 * (i % 2)));
#elif HEDDLE_TYPE == HD_F32
  return hd_f32_of_bits(words[i]);
#elif ELEMENT_BYTES == 4
  return (element)words[i];
#else
  u64 both = words[2 * i] | (u64)words[2 * i + 1] << 32;
#if HEDDLE_TYPE == HD_F64
  return hd_f64_of_bits(both);
#else
  return (element)both;
#endif
#endif
}
#endif

#endif
