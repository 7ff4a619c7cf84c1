/* device.h - wrappers of intrinsics, in which every kernel is written
 *
 * Result   short names for types, and one function for each thing that CUDA C alone cannot say or
 *          says differently for the software device: cached and streaming memory, tagged words
 *          that blocks wait for, tickets, faults
 * Method   every wrapper has a plain C meaning, used where __SIMT__ is defined; tests compare the
 *          two on a GPU. This file and its companion device_bulk.h (bulk copies, mbarriers) are the
 *          only ones that test __SIMT__ or __CUDA_ARCH__.
 * Limits   sm_75 and up
 * Source   NVIDIA's PTX ISA and CUDA C++ programming guide */
#ifndef HEDDLE_KERNELS_BASE_DEVICE_H
#define HEDDLE_KERNELS_BASE_DEVICE_H

#include "faults.h"
#include "order/basic.h"

#define HD_KERNEL extern "C" __global__ void
#define HD_DEVICE HD_FUNCTION
#define HD_ALL 0xffffffffu /* all lanes of a warp */

/* Threads that a multiprocessor has room for, at least: launch bounds must not ask for more. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#define HD_SM_THREADS 1024
#else
#define HD_SM_THREADS 1536
#endif

/* 16 bytes at an address that is a multiple of 16; `stream`: read or written once, so that caches
 * need not keep it. */
HD_DEVICE uint4 load16_stream(const void *from) { return __ldcs((const uint4 *)from); }
HD_DEVICE void store16_stream(void *to, uint4 value) { __stcs((uint4 *)to, value); }
HD_DEVICE uint2 load8_stream(const void *from) { return __ldcs((const uint2 *)from); }
HD_DEVICE void store8_stream(void *to, uint2 value) { __stcs((uint2 *)to, value); }
HD_DEVICE u32 load4_stream(const void *from) { return __ldcs((const u32 *)from); }
HD_DEVICE void store4_stream(void *to, u32 value) { __stcs((u32 *)to, value); }
HD_DEVICE u32 load2_stream(const void *from) { return __ldcs((const u16 *)from); }
HD_DEVICE void store2_stream(void *to, u32 value) { __stcs((u16 *)to, (u16)value); }
HD_DEVICE u32 load1_stream(const void *from) { return __ldcs((const u8 *)from); }
HD_DEVICE void store1_stream(void *to, u32 value) { __stcs((u8 *)to, (u8)value); }

/* Words that blocks tell each other through. A 64-bit word is written and read as a whole; nothing
 * else is ordered by it: what a reader needs is in the word, or there is a fence between. */
#ifdef __SIMT__
HD_DEVICE void publish64(u64 *to, u64 word) { atomicExch(to, word); }
HD_DEVICE u64 peek64(const u64 *from) { return atomicAdd((u64 *)from, 0ull); }
HD_DEVICE u32 look_late(u32 word) { return word; }
#else
HD_DEVICE void publish64(u64 *to, u64 word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}
HD_DEVICE u64 peek64(const u64 *from) {
  u64 word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
/* The word, on which nothing depends before: what it comes from is waited for here, not where the
 * compiler would like to compare it. */
HD_DEVICE u32 look_late(u32 word) {
  asm volatile("" : "+r"(word));
  return word;
}
#endif

/* The fault word of a call in pinned memory: code * 2^56 + detail. One that is there stays; of
 * several at once one does. No atomic: over PCIe there is none between a GPU and the host's
 * memory. */
HD_DEVICE void hd_fault(u64 *fault, u64 code, u64 detail) {
  volatile u64 *word = fault;
  if (!*word) *word = code << 56 | detail;
}

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
