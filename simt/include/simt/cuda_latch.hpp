// cuda::latch and cuda::counting_semaphore.
//
// Method   a counter; waiting is the scheduler's
// Source   libcu++; ISO C++20, latches and semaphores
#ifndef SIMT_CUDA_LATCH_HPP
#define SIMT_CUDA_LATCH_HPP

#include "cuda_scope.hpp"
#include "waiting.hpp"

#include <stddef.h>

namespace cuda {
namespace simt_detail {

typedef long long counter;

inline int is_zero(void *user) {
  return __atomic_load_n(static_cast<const counter *>(user), __ATOMIC_SEQ_CST) == 0;
}
inline int is_positive(void *user) {
  return __atomic_load_n(static_cast<const counter *>(user), __ATOMIC_SEQ_CST) > 0;
}

} // namespace simt_detail

template <thread_scope Scope = thread_scope_system> class latch {
public:
  constexpr explicit latch(ptrdiff_t expected) : left_(expected) {}
  latch(const latch &) = delete;
  latch &operator=(const latch &) = delete;
  static constexpr ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

  void count_down(ptrdiff_t n = 1) { ::simt::fetch_sub(&left_, simt_detail::counter(n)); }
  bool try_wait() const noexcept {
    const bool open = simt_detail::is_zero(const_cast<simt_detail::counter *>(&left_)) != 0;
    if (!open) ::simt::polled();
    return open;
  }
  void wait(::simt::place at = SIMT_HERE) const {
    ::simt::wait_until(simt_detail::is_zero, const_cast<simt_detail::counter *>(&left_),
                       "cuda::latch::wait", at);
  }
  void arrive_and_wait(ptrdiff_t n = 1, ::simt::place at = SIMT_HERE) {
    count_down(n);
    wait(at);
  }

private:
  simt_detail::counter left_;
};

template <thread_scope Scope = thread_scope_system, ptrdiff_t LeastMax = PTRDIFF_MAX>
class counting_semaphore {
public:
  constexpr explicit counting_semaphore(ptrdiff_t count) : count_(count) {}
  counting_semaphore(const counting_semaphore &) = delete;
  counting_semaphore &operator=(const counting_semaphore &) = delete;
  static constexpr ptrdiff_t max() noexcept { return LeastMax; }

  void release(ptrdiff_t n = 1) { ::simt::fetch_add(&count_, simt_detail::counter(n)); }
  bool try_acquire() noexcept {
    const simt_detail::counter before =
        ::simt::update(&count_, [](simt_detail::counter c) { return c > 0 ? c - 1 : c; });
    return before > 0;
  }
  void acquire(::simt::place at = SIMT_HERE) {
    while (!try_acquire())
      ::simt::wait_until(simt_detail::is_positive, &count_, "cuda::semaphore::acquire", at);
  }
  template <class Duration> bool try_acquire_for(const Duration &) { return try_acquire(); }

private:
  simt_detail::counter count_;
};

template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
typedef ::cuda::latch<thread_scope_system> latch;
template <ptrdiff_t LeastMax = PTRDIFF_MAX>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, LeastMax>;
typedef ::cuda::binary_semaphore<thread_scope_system> binary_semaphore;
} // namespace std

} // namespace cuda
#endif
