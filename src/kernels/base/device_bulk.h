/* device_bulk.h - bulk copies from global to shared memory, and signals between a block's warps
 *
 * Result   signal_open         makes a signal: it is given once so many arrivals have come, and
 *                              again after as many more
 *          signal_opened       makes signals known to the copy engine
 *          signal_arrive       one arrival
 *          warp_signal_arrive  32 of them, after what the lanes of a warp did, which all arrive: one
 *                              of each lane, as checkers of races see no order by way of another
 *          warp_signal_arrive_once  one of them all, which is quicker where a warp arrives often
 *          signal_wait         until a signal has been given; `odd` is 0 for its first time, 1 for
 *                              its second, 0 for its third ..
 *          warp_signal_wait    the same for all lanes of a warp, which arrive
 *          bulk_fetch          one arrival as soon as a copy, started here, is complete: of units of
 *                              16 bytes, all of those that `bytes` at `from` lie in. What is around
 *                              them may change meanwhile; it may be copied too, or not
 *          bulk_yield          before memory that was written by stores is fetched into
 * Who      one thread opens, and all go through __syncthreads() before any other use. One lane
 *          arrives for its warp, after a __syncwarp(), or every lane. Any number of threads wait;
 *          nobody may be waiting for a time that lies two back. Who has waited sees what was
 *          written before the arrivals, and what was copied.
 * Method   sm_90: mbarrier and cp.async.bulk. Plain C, and what __SIMT__ uses: a counter of
 *          arrivals, the number that it takes above it; the fetching lane copies at once.
 * Limits   both addresses are off a multiple of 16 by the same; sm_90 and up
 * Source   NVIDIA's PTX ISA: cp.async.bulk, mbarrier */
#ifndef HEDDLE_KERNELS_BASE_DEVICE_BULK_H
#define HEDDLE_KERNELS_BASE_DEVICE_BULK_H

#include "device.h"

#ifdef __SIMT__

HD_DEVICE void signal_open(u64 *signal, u32 arrivals) { *signal = (u64)arrivals << 32; }
HD_DEVICE void signal_opened(void) {}
HD_DEVICE void signal_arrive(u64 *signal) {
  __threadfence_block(); /* what was written before is seen by who sees the arrival */
  atomicAdd(signal, 1ull);
}
/* The software device's checker sees that order: one lane adds for all. */
HD_DEVICE void warp_signal_arrive(u64 *signal) {
  __syncwarp(); /* every lane is done */
  if (threadIdx.x & 31u) return;
  __threadfence_block();
  atomicAdd(signal, 32ull);
}
HD_DEVICE void signal_wait(u64 *signal, u32 odd) {
  u64 word;
  do {
    word = atomicAdd(signal, 0ull);
  } while (((u32)word / (u32)(word >> 32) & 1u) == odd);
  __threadfence_block(); /* and what is read from here on is no older than the arrivals */
}
/* One lane looks for all: the others cost nothing while they wait. */
HD_DEVICE void warp_signal_wait(u64 *signal, u32 odd) {
  if ((threadIdx.x & 31u) == 0) signal_wait(signal, odd);
  __syncwarp(); /* lane 0 has seen it */
}
HD_DEVICE void bulk_fetch(void *to, const void *from, u32 bytes, u64 *signal) {
  const u32 off = (u32)(size_t)from & 15u, head = off ? 16 - off : 0;
  const u32 units = bytes > head ? (bytes - head) / 16 : 0;
  u32 i = 0;
  for (; i < bytes && i < head; i++) ((u8 *)to)[i] = ((const u8 *)from)[i];
  for (u32 unit = 0; unit < units; unit++, i += 16)
    *(uint4 *)((u8 *)to + i) = *(const uint4 *)((const u8 *)from + i);
  for (; i < bytes; i++) ((u8 *)to)[i] = ((const u8 *)from)[i];
  signal_arrive(signal);
}
HD_DEVICE void bulk_yield(void) {}

#else

HD_DEVICE u32 shared_address(const void *at) { return (u32)__cvta_generic_to_shared(at); }
HD_DEVICE void signal_open(u64 *signal, u32 arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;"
               :
               : "r"(shared_address(signal)), "r"(arrivals)
               : "memory");
}
HD_DEVICE void bulk_yield(void) { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }
HD_DEVICE void signal_opened(void) {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
  bulk_yield();
}
HD_DEVICE void signal_arrive(u64 *signal) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" : : "r"(shared_address(signal)) : "memory");
}
HD_DEVICE void warp_signal_arrive(u64 *signal) {
  __syncwarp(); /* every lane is done */
  signal_arrive(signal);
}
HD_DEVICE void signal_wait(u64 *signal, u32 odd) {
  u32 given;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(given)
                 : "r"(shared_address(signal)), "r"(odd)
                 : "memory");
  } while (!given);
}
HD_DEVICE void warp_signal_wait(u64 *signal, u32 odd) { signal_wait(signal, odd); }
HD_DEVICE void bulk_fetch(void *to, const void *from, u32 bytes, u64 *signal) {
  const u32 off = (u32)(size_t)from & 15u;
  to = (u8 *)to - off, from = (const u8 *)from - off, bytes = (bytes + off + 15) & ~15u;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
               :
               : "r"(shared_address(signal)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
               "[%3];"
               :
               : "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(signal))
               : "memory");
}

#endif

HD_DEVICE void warp_signal_arrive_once(u64 *signal) {
  __syncwarp(); /* every lane is done */
  if ((threadIdx.x & 31u) == 0) signal_arrive(signal);
}

#endif
