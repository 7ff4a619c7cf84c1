// Barriers of the block and of the warp, and memory fences.
//
// Result   __syncthreads and its voting forms, __syncwarp, __threadfence*
// Method   a barrier is known by its source line, which default arguments take from the call
// Limits   __barrier_sync only with barrier 0, the one of __syncthreads
// Source   CUDA C++ Programming Guide, Synchronization Functions and Memory Fence Functions
#ifndef SIMT_BARRIER_HPP
#define SIMT_BARRIER_HPP

#include "../abi.h"
#include "../instrumented.hpp"

SIMT_SEEN void __syncthreads(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  simt_barrier(file, line);
}

SIMT_SEEN int __syncthreads_count(int predicate, const char *file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  return int(simt_barrier_tally(predicate, file, line).ones);
}

SIMT_SEEN int __syncthreads_and(int predicate, const char *file = __builtin_FILE(),
                                int line = __builtin_LINE()) {
  const simt_tally tally = simt_barrier_tally(predicate, file, line);
  return tally.ones == tally.threads;
}

SIMT_SEEN int __syncthreads_or(int predicate, const char *file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
  return simt_barrier_tally(predicate, file, line).ones != 0;
}

SIMT_SEEN void __barrier_sync(unsigned id, const char *file = __builtin_FILE(),
                              int line = __builtin_LINE()) {
  if (id) simt_trap();
  simt_barrier(file, line);
}

SIMT_SEEN void __syncwarp(unsigned mask = 0xffffffffu, const char *file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  simt_sync_warp(mask, "__syncwarp", file, line);
}

namespace simt {
// bar.sync and bar.arrive of PTX: a barrier of so many threads, by number.
SIMT_SEEN void named_barrier(unsigned number, unsigned threads, const char *file = __builtin_FILE(),
                             int line = __builtin_LINE()) {
  simt_named_barrier(number, threads, 1, file, line);
}
SIMT_SEEN void named_arrive(unsigned number, unsigned threads, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  simt_named_barrier(number, threads, 0, file, line);
}
} // namespace simt

#if SIMT_INSTRUMENTED
SIMT_SEEN void __threadfence_block() { simt_fence(SIMT_FENCE_BLOCK); }
SIMT_SEEN void __threadfence() { simt_fence(SIMT_FENCE_DEVICE); }
SIMT_SEEN void __threadfence_system() { simt_fence(SIMT_FENCE_SYSTEM); }
#else
// A block runs on one OS thread, so that only the compiler must be held back.
SIMT_SEEN void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
SIMT_SEEN void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
SIMT_SEEN void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

#endif
