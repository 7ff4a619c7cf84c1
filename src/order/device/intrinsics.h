/* intrinsics.h - wrappers of the intrinsics that order v1 needs of a device: loads and halves
 *
 * Method   every wrapper has a plain C meaning, used where __SIMT__ is defined; tests compare the
 *          two on a GPU. What a kernel needs besides is kernels/base/device.h.
 * Limits   sm_75 and up
 * Source   NVIDIA's PTX ISA and CUDA C++ programming guide */
#ifndef HEDDLE_ORDER_DEVICE_INTRINSICS_H
#define HEDDLE_ORDER_DEVICE_INTRINSICS_H

#include "order/basic.h"

#define HD_KERNEL extern "C" __global__ void
#define HD_DEVICE HD_FUNCTION
#define HD_ALL 0xffffffffu /* all lanes of a warp */

/* 16 bytes at an address that is a multiple of 16, and so on. Plain loads: what is marked to be evicted
 * first is not there for the next call on the array, and what the caches cannot hold is read as fast. */
HD_DEVICE uint4 load16(const void *from) { return __ldca((const uint4 *)from); }
HD_DEVICE uint2 load8(const void *from) { return __ldca((const uint2 *)from); }
HD_DEVICE u32 load4(const void *from) { return __ldca((const u32 *)from); }
HD_DEVICE u32 load2(const void *from) { return __ldca((const u16 *)from); }
HD_DEVICE u32 load1(const void *from) { return __ldca((const u8 *)from); }

/* The word, as if it came from somewhere else: what was made of it before is not kept for later, but made
 * again of this. */
#ifdef __SIMT__
HD_DEVICE u32 look_again(u32 word) { return word; }
#else
HD_DEVICE u32 look_again(u32 word) {
  asm volatile("" : "+r"(word));
  return word;
}
#endif

/* IEEE binary16 as its bits: exact one way, rounded once to nearest even the other. A NaN stays
 * one; its payload is not defined. */
#ifdef __SIMT__
HD_DEVICE f32 f32_of_f16(u16 x) {
  u32 sign = (u32)(x & 0x8000u) << 16, magnitude = x & 0x7fffu;
  if (magnitude >= 0x7c00u) return __uint_as_float(sign | (magnitude << 13) | 0x7f800000u);
  if (magnitude >= 0x400u) return __uint_as_float(sign | ((magnitude << 13) + (112u << 23)));
  f32 small = (f32)magnitude * 5.9604644775390625e-8f; /* 2^-24: exact */
  return sign ? -small : small;
}
HD_DEVICE u16 f16_of_f32(f32 x) {
  u32 bits = __float_as_uint(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7e00;
  if (magnitude >= 0x47800000u) return (u16)(sign | 0x7c00u);
  u32 drop = 13, kept = magnitude - (112u << 23);
  if (magnitude < 0x38800000u) { /* below the least normal number */
    drop = 126 - (magnitude >> 23);
    if (drop > 24) return (u16)sign;
    kept = (magnitude & 0x7fffffu) | 0x800000u;
  }
  u32 half = 1u << (drop - 1), rest = kept & (2 * half - 1);
  kept >>= drop;
  kept += rest > half || (rest == half && (kept & 1u));
  return (u16)(sign | kept); /* a carry moves on into the exponent, up to infinity */
}
#else
HD_DEVICE f32 f32_of_f16(u16 x) {
  f32 y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}
HD_DEVICE u16 f16_of_f32(f32 x) {
  u16 y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
#endif

#endif
