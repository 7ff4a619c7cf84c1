// cuda::std, thread scopes and memory orders: what all headers of cuda/ share.
//
// Method   cuda::std shows the compiler's own std, which device code here can call as it is.
//          Inside namespace cuda the standard library is ::std
// Limits   what the chosen -std= does not have, cuda::std does not have either
#ifndef SIMT_CUDA_SCOPE_HPP
#define SIMT_CUDA_SCOPE_HPP

#include "std_alias.hpp"
#include "warp_core.hpp"

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

inline void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) {
  ::std::atomic_thread_fence(order);
}
inline void atomic_signal_fence(memory_order order) { ::std::atomic_signal_fence(order); }

} // namespace cuda
#endif
