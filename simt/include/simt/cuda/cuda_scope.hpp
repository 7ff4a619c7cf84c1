// cuda::std, thread scopes and memory orders: what all headers of cuda/ share.
//
// Method   cuda::std shows the compiler's own std, which device code here can call as it is.
//          Inside namespace cuda the standard library is ::std
// Limits   what the chosen -std= does not have, cuda::std does not have either
#ifndef SIMT_CUDA_SCOPE_HPP
#define SIMT_CUDA_SCOPE_HPP

#include "../instrumented.hpp"
#include "../std_alias.hpp"
#include "../warp/warp_core.hpp"

#include <atomic>
#include <stdint.h>

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace simt_detail {

inline SIMT_QUIET int fence_scope(thread_scope scope) {
  return scope == thread_scope_system   ? SIMT_FENCE_SYSTEM
         : scope == thread_scope_device ? SIMT_FENCE_DEVICE
                                        : SIMT_FENCE_BLOCK;
}
inline SIMT_QUIET int order_of(memory_order order, thread_scope scope) {
  return SIMT_ORDER(order, fence_scope(scope));
}
// Of a compare-exchange that fails: it stores nothing, so that it releases nothing.
inline SIMT_QUIET int failed_order(memory_order order, thread_scope scope) {
  return order_of(order == memory_order_acq_rel   ? memory_order_acquire
                  : order == memory_order_release ? memory_order_relaxed
                                                  : order,
                  scope);
}

} // namespace simt_detail

inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
#if SIMT_INSTRUMENTED
  if (order != memory_order_relaxed) simt_fence(simt_detail::fence_scope(scope));
#else
  (void)scope;
  ::std::atomic_thread_fence(order);
#endif
}
inline void atomic_signal_fence(memory_order order) { ::std::atomic_signal_fence(order); }

} // namespace cuda
#endif
