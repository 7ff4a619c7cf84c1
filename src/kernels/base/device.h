/* device.h - wrappers of intrinsics, in which every kernel is written
 *
 * Result   short names for types, and one function for each thing that CUDA C alone cannot say or
 *          says differently for the software device: cached and streaming memory, tagged words
 *          that blocks wait for, tickets, faults
 * Method   every wrapper has a plain C meaning, used where __SIMT__ is defined; tests compare the
 *          two on a GPU. This file, device_bulk.h (bulk copies, mbarriers) and order/device/intrinsics.h
 *          are the only ones that test __SIMT__ or __CUDA_ARCH__.
 * Limits   sm_75 and up
 * Source   NVIDIA's PTX ISA and CUDA C++ programming guide */
#ifndef HEDDLE_KERNELS_BASE_DEVICE_H
#define HEDDLE_KERNELS_BASE_DEVICE_H

#include "faults.h"
#include "order/device/intrinsics.h"

/* Threads that a multiprocessor has room for, at least: launch bounds must not ask for more. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#define HD_SM_THREADS 1024
#else
#define HD_SM_THREADS 1536
#endif

/* 16 bytes at an address that is a multiple of 16; `stream`: written once, so that caches need not
 * keep it. Loads are order/device/intrinsics.h's. */
HD_DEVICE void store16_stream(void *to, uint4 value) { __stcs((uint4 *)to, value); }
HD_DEVICE void store8_stream(void *to, uint2 value) { __stcs((uint2 *)to, value); }
HD_DEVICE void store4_stream(void *to, u32 value) { __stcs((u32 *)to, value); }
HD_DEVICE void store2_stream(void *to, u32 value) { __stcs((u16 *)to, (u16)value); }
HD_DEVICE void store1_stream(void *to, u32 value) { __stcs((u8 *)to, (u8)value); }

/* words[0 ..] = `bytes` (4, 8 or 16) of shared memory at `from`, which is a multiple of as many. */
HD_DEVICE void load_vector_shared(const u8 *from, int bytes, u32 *words) {
  if (bytes == 16) {
    const uint4 v = *(const uint4 *)from;
    words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
  } else if (bytes == 8) {
    const uint2 v = *(const uint2 *)from;
    words[0] = v.x, words[1] = v.y;
  } else {
    words[0] = *(const u32 *)from;
  }
}

/* The same at a multiple of `align` alone, out of the two vectors of as many bytes around them: what
 * else is in those may change meanwhile. As many loads of fewer bytes, or more, take longer: lanes
 * that are far apart share banks. */
#ifdef __SIMT__
HD_DEVICE void load_between_shared(const u8 *from, int bytes, int align, u32 *words) {
  for (int i = 0; i < bytes / 4; i++, from += 4)
    words[i] = align >= 4 ? *(const u32 *)from
                          : from[0] | (u32)from[1] << 8 | (u32)from[2] << 16 | (u32)from[3] << 24;
}
#else
HD_DEVICE void load_between_shared(const u8 *from, int bytes, int align, u32 *words) {
  const u32 off = (u32)(size_t)from & (u32)(bytes - 1);
  const int count = bytes / 4;
  u32 both[8];
  load_vector_shared(from - off, bytes, both);
  load_vector_shared(from - off + bytes, bytes, both + count);
#pragma unroll
  for (int step = 1; step < count; step *= 2)
#pragma unroll
    for (int i = 0; i + step < 2 * count; i++)
      both[i] = off & (u32)(4 * step) ? both[i + step] : both[i];
#pragma unroll
  for (int i = 0; i < count; i++)
    words[i] = align >= 4 ? both[i] : __funnelshift_r(both[i], both[i + 1], 8 * (off & 3u));
}
#endif

/* The same at a multiple of `align`, which may be as many bytes or fewer; both are constants. */
HD_DEVICE void load_words_shared(const u8 *from, int bytes, int align, u32 *words) {
  if (align >= bytes) {
    load_vector_shared(from, bytes, words);
  } else if (align >= 4 && 2 * align >= bytes) {
    load_vector_shared(from, bytes / 2, words);
    load_vector_shared(from + bytes / 2, bytes / 2, words + bytes / 8);
  } else {
    load_between_shared(from, bytes, align, words);
  }
}

/* Words that blocks add to, or tell each other through. A word is written and read as a whole;
 * nothing else is ordered by it: what a reader needs is in the word, or there is a fence between. */
#ifdef __SIMT__
HD_DEVICE void memory_add32(u32 *to, u32 add) { atomicAdd(to, add); }
HD_DEVICE void memory_add64(u64 *to, u64 add) { atomicAdd(to, add); }
HD_DEVICE void publish32(u32 *to, u32 word) { atomicExch(to, word); }
HD_DEVICE void publish64(u64 *to, u64 word) { atomicExch(to, word); }
HD_DEVICE u32 peek32(const u32 *from) { return atomicAdd((u32 *)from, 0u); }
HD_DEVICE u64 peek64(const u64 *from) { return atomicAdd((u64 *)from, 0ull); }
HD_DEVICE u32 look_late(u32 word) { return word; }
HD_DEVICE void prefetch_l2(const void *line) { (void)line; }
/* The lanes whose word is like this lane's in the bit, a constant; all lanes arrive. */
HD_DEVICE u32 warp_alike(u32 word, u32 bit) {
  const bool set = (word & bit) != 0;
  const u32 lanes = __ballot_sync(0xffffffffu, set);
  return set ? lanes : ~lanes;
}
#else
/* Has the line of 128 bytes brought to the L2 cache. */
HD_DEVICE void prefetch_l2(const void *line) {
  asm volatile("prefetch.global.L2 [%0];" : : "l"(line));
}
/* Atomic additions in global memory that answer nothing. (Of an address that comes as a number the
 * compiler makes ones that do.) */
HD_DEVICE void memory_add32(u32 *to, u32 add) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(to), "r"(add) : "memory");
}
HD_DEVICE void memory_add64(u64 *to, u64 add) {
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(to), "l"(add) : "memory");
}
HD_DEVICE void publish32(u32 *to, u32 word) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(word) : "memory");
}
HD_DEVICE u32 peek32(const u32 *from) {
  u32 word;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}
HD_DEVICE void publish64(u64 *to, u64 word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}
HD_DEVICE u64 peek64(const u64 *from) {
  u64 word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
HD_DEVICE u32 warp_alike(u32 word, u32 bit) {
  u32 lanes;
  asm volatile("{ .reg .pred p; .reg .b32 r; and.b32 r, %1, %2; setp.ne.u32 p, r, 0; "
               "vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
               : "=r"(lanes)
               : "r"(word), "r"(bit));
  return lanes;
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

#endif
