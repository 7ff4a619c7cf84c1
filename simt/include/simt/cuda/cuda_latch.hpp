// cuda::latch and cuda::counting_semaphore.
//
// Method   a counter; waiting is the scheduler's
// Source   libcu++; ISO C++20, latches and semaphores
#ifndef SIMT_CUDA_LATCH_HPP
#define SIMT_CUDA_LATCH_HPP

#include "../warp/waiting.hpp"
#include "cuda_scope.hpp"

#include <stddef.h>

namespace cuda {
namespace simt_detail {

typedef long long counter;

inline SIMT_QUIET int is_zero(void *user) {
  return __atomic_load_n(static_cast<const counter *>(user), __ATOMIC_SEQ_CST) == 0;
}
inline SIMT_QUIET int is_positive(void *user) {
  return __atomic_load_n(static_cast<const counter *>(user), __ATOMIC_SEQ_CST) > 0;
}

template <thread_scope Scope> struct counting {
  enum {
    SCOPE = Scope == thread_scope_system   ? SIMT_FENCE_SYSTEM
            : Scope == thread_scope_device ? SIMT_FENCE_DEVICE
                                           : SIMT_FENCE_BLOCK,
    RELEASES = SIMT_ORDER(__ATOMIC_ACQ_REL, SCOPE),
    ACQUIRES = SIMT_ORDER(__ATOMIC_ACQUIRE, SCOPE)
  };
};

struct one_less {
  SIMT_SMALL counter operator()(counter c) const { return c > 0 ? c - 1 : c; }
};

} // namespace simt_detail

template <thread_scope Scope = thread_scope_system>
class latch : private simt_detail::counting<Scope> {
  typedef simt_detail::counting<Scope> how;

public:
  constexpr explicit latch(ptrdiff_t expected) : left_(expected) {}
  latch(const latch &) = delete;
  latch &operator=(const latch &) = delete;
  static constexpr ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

  SIMT_SEEN void count_down(ptrdiff_t n = 1) {
    ::simt::fetch_sub(&left_, simt_detail::counter(n), how::RELEASES);
  }
  SIMT_SEEN bool try_wait() const noexcept {
    const bool open = ::simt::load(&left_, how::ACQUIRES) == 0;
    if (!open) ::simt::polled();
    return open;
  }
  SIMT_SEEN void wait(::simt::location at = SIMT_HERE) const {
    ::simt::wait_until(simt_detail::is_zero, const_cast<simt_detail::counter *>(&left_),
                       "cuda::latch::wait", at);
    (void)::simt::load(&left_, how::ACQUIRES);
  }
  SIMT_SEEN void arrive_and_wait(ptrdiff_t n = 1, ::simt::location at = SIMT_HERE) {
    count_down(n);
    wait(at);
  }

private:
  simt_detail::counter left_;
};

template <thread_scope Scope = thread_scope_system, ptrdiff_t LeastMax = PTRDIFF_MAX>
class counting_semaphore : private simt_detail::counting<Scope> {
  typedef simt_detail::counting<Scope> how;

public:
  constexpr explicit counting_semaphore(ptrdiff_t count) : count_(count) {}
  counting_semaphore(const counting_semaphore &) = delete;
  counting_semaphore &operator=(const counting_semaphore &) = delete;
  static constexpr ptrdiff_t max() noexcept { return LeastMax; }

  SIMT_SEEN void release(ptrdiff_t n = 1) {
    ::simt::fetch_add(&count_, simt_detail::counter(n), how::RELEASES);
  }
  SIMT_SEEN bool try_acquire() noexcept {
    return ::simt::update(&count_, simt_detail::one_less(), how::RELEASES) > 0;
  }
  SIMT_SEEN void acquire(::simt::location at = SIMT_HERE) {
    while (!try_acquire())
      ::simt::wait_until(simt_detail::is_positive, &count_, "cuda::semaphore::acquire", at);
  }
  template <class Duration> SIMT_SEEN bool try_acquire_for(const Duration &) {
    return try_acquire();
  }

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
