// cuda::barrier.
//
// Method   phase_word.hpp. A copy that is bound to a barrier is complete when the call returns; the
//          checker is told whose wait it needs
// Limits   as on a GPU, 8 bytes without a completion function. Transactions (barrier_expect_tx)
//          are complete at once and need no count
// Source   libcu++, cuda::barrier; ISO C++20, std::barrier
#ifndef SIMT_CUDA_BARRIER_HPP
#define SIMT_CUDA_BARRIER_HPP

#include "aligned_size.hpp"
#include "cuda_scope.hpp"
#include "phase_word.hpp"

#include <new>
#include <stddef.h>

namespace cuda {

template <thread_scope Scope, class Completion> class barrier;

namespace simt_detail {

struct no_completion {
  void operator()() const {}
};

class arrival_token {
public:
  SIMT_SMALL arrival_token() : phase_(0) {}

private:
  template <thread_scope, class> friend class ::cuda::barrier;
  explicit SIMT_SMALL arrival_token(unsigned phase) : phase_(phase) {}
  unsigned phase_;
};

} // namespace simt_detail

template <thread_scope Scope, class Completion = simt_detail::no_completion>
class barrier : private Completion {
public:
  typedef simt_detail::arrival_token arrival_token;

  barrier() = default;
  explicit barrier(ptrdiff_t expected, Completion completion = Completion())
      : Completion(completion), word_(::simt::phase_new(unsigned(expected))) {}
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;

  static constexpr ptrdiff_t max() noexcept { return ::simt::PHASE_LIMIT; }

  SIMT_SEEN arrival_token arrive(ptrdiff_t n = 1) { return arrived(unsigned(n), false); }
  SIMT_SEEN void wait(arrival_token &&token, ::simt::location at = SIMT_HERE) const {
    ::simt::phase_wait(&word_, token.phase_, "cuda::barrier::wait", at, WAITS);
  }
  SIMT_SEEN void wait(const arrival_token &token, ::simt::location at = SIMT_HERE) const {
    ::simt::phase_wait(&word_, token.phase_, "cuda::barrier::wait", at, WAITS);
  }
  SIMT_SEEN void wait_parity(bool parity, ::simt::location at = SIMT_HERE) const {
    const unsigned now = ::simt::phase_number(::simt::load(&word_, WAITS));
    if ((now & 1) == parity)
      ::simt::phase_wait(&word_, now, "cuda::barrier::wait_parity", at, WAITS);
    else
      ::simt::phase_seen(&word_, now);
  }
  SIMT_SEEN bool try_wait(const arrival_token &token) const {
    return ::simt::phase_test(&word_, token.phase_, WAITS);
  }
  SIMT_SEEN bool try_wait_parity(bool parity) const {
    return ::simt::phase_test_parity(&word_, parity, WAITS);
  }
  template <class Duration>
  SIMT_SEEN bool try_wait_for(const arrival_token &token, const Duration &) const {
    return try_wait(token);
  }
  template <class Duration>
  SIMT_SEEN bool try_wait_parity_for(bool parity, const Duration &) const {
    return try_wait_parity(parity);
  }
  SIMT_SEEN void arrive_and_wait(::simt::location at = SIMT_HERE) { wait(arrive(), at); }
  SIMT_SEEN void arrive_and_drop() { arrived(1, true); }

  ::simt::phase_word *simt_word() { return &word_; }

  friend void init(barrier *b, ptrdiff_t expected, Completion completion = Completion()) {
    new (static_cast<void *>(b)) barrier(expected, completion);
  }

private:
  // What everybody did before arriving is in order before what is done after waiting.
  enum {
    ARRIVES = SIMT_ORDER(__ATOMIC_ACQ_REL, Scope == thread_scope_block    ? SIMT_FENCE_BLOCK
                                           : Scope == thread_scope_device ? SIMT_FENCE_DEVICE
                                                                          : SIMT_FENCE_SYSTEM)
  };
  enum { WAITS = SIMT_ORDER(__ATOMIC_ACQUIRE, SIMT_SCOPE_OF(ARRIVES)) };

  SIMT_SEEN arrival_token arrived(unsigned n, bool drop) {
    return arrival_token(::simt::phase_number(::simt::phase_arrive(
        &word_, n, drop, [this] { static_cast<Completion &> (*this)(); }, ARRIVES)));
  }
  ::simt::phase_word word_;
};

namespace std {
template <class Completion = simt_detail::no_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
} // namespace std

// ---- Copies that a barrier waits for ---------------------------------------------------------

enum class async_contract_fulfillment { none, async };

template <class Shape, thread_scope Scope, class Completion>
SIMT_SEEN async_contract_fulfillment memcpy_async(void *to, const void *from, Shape bytes,
                                                  barrier<Scope, Completion> &b) {
  ::simt::copy_bytes(to, from, size_t(bytes));
  ::simt::async_bound(to, size_t(bytes), b.simt_word(), ::simt::phase_now(b.simt_word()));
  return async_contract_fulfillment::none;
}

namespace simt_detail {
// A share for each thread of the group, complete in this use of the object.
template <class Group>
SIMT_SEEN async_contract_fulfillment copy_share(const Group &g, void *to, const void *from,
                                                size_t bytes, const void *object, unsigned use) {
  const size_t threads = size_t(g.size());
  const size_t share = ((bytes + threads - 1) / threads + 15) / 16 * 16;
  const size_t at = share * size_t(g.thread_rank());
  if (at < bytes) {
    const size_t mine = bytes - at < share ? bytes - at : share;
    ::simt::copy_bytes(static_cast<char *>(to) + at, static_cast<const char *>(from) + at, mine);
    ::simt::async_bound(static_cast<char *>(to) + at, mine, object, use);
  }
  return async_contract_fulfillment::none;
}
} // namespace simt_detail

template <class Group, class Shape, thread_scope Scope, class Completion>
SIMT_SEEN async_contract_fulfillment memcpy_async(const Group &g, void *to, const void *from,
                                                  Shape bytes, barrier<Scope, Completion> &b) {
  return simt_detail::copy_share(g, to, from, size_t(bytes), b.simt_word(),
                                 ::simt::phase_now(b.simt_word()));
}

namespace device {

typedef barrier<thread_scope_block> simt_block_barrier;

inline uint64_t *barrier_native_handle(simt_block_barrier &b) {
  return reinterpret_cast<uint64_t *>(b.simt_word());
}
inline void barrier_expect_tx(simt_block_barrier &, ptrdiff_t) {}
inline simt_block_barrier::arrival_token barrier_arrive_tx(simt_block_barrier &b, ptrdiff_t n,
                                                           ptrdiff_t) {
  return b.arrive(n);
}
template <class T, size_t Alignment>
SIMT_SEEN async_contract_fulfillment memcpy_async_tx(T *to, const T *from,
                                                     aligned_size_t<Alignment> bytes,
                                                     simt_block_barrier &b) {
  ::simt::copy_bytes(to, from, size_t(bytes));
  ::simt::async_bound(to, size_t(bytes), b.simt_word(), ::simt::phase_now(b.simt_word()));
  return async_contract_fulfillment::async;
}

} // namespace device
} // namespace cuda
#endif
