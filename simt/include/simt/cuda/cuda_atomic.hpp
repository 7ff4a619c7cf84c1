// cuda::atomic and cuda::atomic_ref.
//
// Method   one set of operations on a pointer, for both; atomic_core.hpp does the work. Every
//          operation is sequentially consistent, whatever order is asked for; a checker learns
//          the order and the scope
// Limits   types of 1, 2, 4 and 8 bytes
// Source   libcu++, Extended API, Synchronization Primitives; ISO C++, atomics
#ifndef SIMT_CUDA_ATOMIC_HPP
#define SIMT_CUDA_ATOMIC_HPP

#include "../warp/waiting.hpp"
#include "cuda_scope.hpp"

#include <stddef.h>

namespace cuda {
namespace simt_detail {

using ::simt::location;

// What is added to a T: for pointers a number of elements.
template <class T> struct difference { typedef T type; };
template <class T> struct difference<T *> { typedef ptrdiff_t type; };

// Derived has simt_pointer(), the address of the value.
template <class T, thread_scope Scope, class Derived> class operations {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "simt has cuda::atomic for types of 1, 2, 4 and 8 bytes");
  typedef typename difference<T>::type step;
  SIMT_SMALL T *p() const { return static_cast<const Derived *>(this)->simt_pointer(); }
  static SIMT_SMALL int how(memory_order order) { return order_of(order, Scope); }

  struct waiter {
    const T *p;
    T old;
    static SIMT_QUIET int ready(void *user) {
      const waiter *w = static_cast<const waiter *>(user);
      T now;
      __atomic_load(const_cast<T *>(w->p), &now, __ATOMIC_SEQ_CST);
      return __builtin_memcmp(&now, &w->old, sizeof now) != 0;
    }
  };

public:
  typedef T value_type;
  typedef step difference_type;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const noexcept { return true; }

  SIMT_SEEN T load(memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::polling_load(p(), how(order));
  }
  SIMT_SEEN void store(T v, memory_order order = memory_order_seq_cst) const noexcept {
    ::simt::store(p(), v, how(order));
  }
  SIMT_SEEN operator T() const noexcept { return load(); }

  SIMT_SEEN T exchange(T v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::exchange(p(), v, how(order));
  }
  SIMT_SEEN bool compare_exchange_strong(T &expected, T desired, memory_order order,
                                         memory_order failed) const noexcept {
    return exchanged(expected,
                     ::simt::compare_exchange(p(), expected, desired, how(order), how(failed)));
  }
  SIMT_SEEN bool compare_exchange_strong(T &expected, T desired,
                                         memory_order order = memory_order_seq_cst) const noexcept {
    return exchanged(expected, ::simt::compare_exchange(p(), expected, desired, how(order),
                                                        failed_order(order, Scope)));
  }
  SIMT_SEEN bool compare_exchange_weak(T &expected, T desired, memory_order order,
                                       memory_order failed) const noexcept {
    return compare_exchange_strong(expected, desired, order, failed);
  }
  SIMT_SEEN bool compare_exchange_weak(T &expected, T desired,
                                       memory_order order = memory_order_seq_cst) const noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

  SIMT_SEEN T fetch_add(step v, memory_order order = memory_order_seq_cst) const noexcept {
    return add(p(), v, how(order));
  }
  SIMT_SEEN T fetch_sub(step v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::update(p(), minus{v}, how(order));
  }
  SIMT_SEEN T fetch_and(T v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::fetch_and(p(), v, how(order));
  }
  SIMT_SEEN T fetch_or(T v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::fetch_or(p(), v, how(order));
  }
  SIMT_SEEN T fetch_xor(T v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::fetch_xor(p(), v, how(order));
  }
  SIMT_SEEN T fetch_min(T v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::fetch_min(p(), v, how(order));
  }
  SIMT_SEEN T fetch_max(T v, memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::fetch_max(p(), v, how(order));
  }

  SIMT_SEEN T operator++() const noexcept { return T(fetch_add(1) + 1); }
  SIMT_SEEN T operator--() const noexcept { return T(fetch_sub(1) - 1); }
  SIMT_SEEN T operator++(int) const noexcept { return fetch_add(1); }
  SIMT_SEEN T operator--(int) const noexcept { return fetch_sub(1); }
  SIMT_SEEN T operator+=(step v) const noexcept { return T(fetch_add(v) + v); }
  SIMT_SEEN T operator-=(step v) const noexcept { return T(fetch_sub(v) - v); }
  SIMT_SEEN T operator&=(T v) const noexcept { return T(fetch_and(v) & v); }
  SIMT_SEEN T operator|=(T v) const noexcept { return T(fetch_or(v) | v); }
  SIMT_SEEN T operator^=(T v) const noexcept { return T(fetch_xor(v) ^ v); }

  SIMT_SEEN void wait(T old, memory_order order = memory_order_seq_cst,
                      location at = SIMT_HERE) const {
    waiter w = {p(), old};
    ::simt::wait_until(waiter::ready, &w, "cuda::atomic::wait", at);
    (void)::simt::load(p(), how(order));
  }
  void notify_one() const noexcept {}
  void notify_all() const noexcept {}

private:
  struct minus {
    step v;
    SIMT_SMALL T operator()(T x) const { return T(x - v); }
  };
  struct plus {
    step v;
    SIMT_SMALL T operator()(T x) const { return x + v; }
  };
  template <class U> static SIMT_SEEN U add(U *p, U v, int how) {
    return ::simt::fetch_add(p, v, how);
  }
  template <class U> static SIMT_SEEN U *add(U **p, ptrdiff_t v, int how) {
    return ::simt::update(p, plus{v}, how);
  }
  // Whether the exchange that found `before` was done; what it found if not.
  static SIMT_SMALL bool exchanged(T &expected, T before) {
    const bool same = __builtin_memcmp(&before, &expected, sizeof before) == 0;
    if (!same) expected = before;
    return same;
  }
};

} // namespace simt_detail

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public simt_detail::operations<T, Scope, atomic<T, Scope>> {
public:
  atomic() noexcept = default;
  constexpr atomic(T value) noexcept : value_(value) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  SIMT_SEEN T operator=(T value) noexcept {
    this->store(value);
    return value;
  }
  SIMT_SMALL T *simt_pointer() const { return const_cast<T *>(&value_); }

private:
  alignas(sizeof(T)) T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public simt_detail::operations<T, Scope, atomic_ref<T, Scope>> {
public:
  static constexpr size_t required_alignment = sizeof(T);
  explicit SIMT_SMALL atomic_ref(T &value) noexcept : pointer_(&value) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  SIMT_SEEN T operator=(T value) const noexcept {
    this->store(value);
    return value;
  }
  SIMT_SMALL T *simt_pointer() const { return pointer_; }

private:
  T *pointer_;
};

template <thread_scope Scope = thread_scope_system> class simt_flag {
public:
  simt_flag() noexcept = default;
  constexpr simt_flag(bool set) noexcept : value_(set) {}
  SIMT_SEEN bool test(memory_order order = memory_order_seq_cst) const noexcept {
    return ::simt::polling_load(&value_, simt_detail::order_of(order, Scope)) != 0;
  }
  SIMT_SEEN bool test_and_set(memory_order order = memory_order_seq_cst) noexcept {
    return ::simt::exchange(&value_, 1u, simt_detail::order_of(order, Scope)) != 0;
  }
  SIMT_SEEN void clear(memory_order order = memory_order_seq_cst) noexcept {
    ::simt::store(&value_, 0u, simt_detail::order_of(order, Scope));
  }

private:
  unsigned value_;
};
typedef simt_flag<> atomic_flag;

namespace std {
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::atomic_flag;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<bool> atomic_bool;
} // namespace std

} // namespace cuda
#endif
