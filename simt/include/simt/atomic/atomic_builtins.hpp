// The compiler's atomic functions: __nv_atomic_load, _store, _exchange, _compare_exchange,
// _fetch_add ...
//
// Result   each with an order and a scope; those ending in _n take and give values, the others
//          addresses of values; without fetch_ nothing is given back
// Method   as the atomic functions of CUDA C (atomic_core.hpp), with the order and scope that are
//          asked for
// Limits   values of 1, 2, 4 or 8 bytes; a weak exchange does not fail without reason
// Source   CUDA C++ Programming Guide, Built-in Atomic Functions
#ifndef SIMT_ATOMIC_BUILTINS_HPP
#define SIMT_ATOMIC_BUILTINS_HPP

#include "../warp/waiting.hpp"
#include "atomic_core.hpp"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace simt {

static_assert(__NV_ATOMIC_RELAXED == __ATOMIC_RELAXED && __NV_ATOMIC_SEQ_CST == __ATOMIC_SEQ_CST &&
                  __NV_ATOMIC_ACQUIRE == __ATOMIC_ACQUIRE,
              "the orders have the compiler's own numbers");

inline SIMT_QUIET int builtin_how(int order, int scope) {
  const int fence = scope == __NV_THREAD_SCOPE_SYSTEM   ? SIMT_FENCE_SYSTEM
                    : scope == __NV_THREAD_SCOPE_DEVICE ? SIMT_FENCE_DEVICE
                                                        : SIMT_FENCE_BLOCK;
  return SIMT_ORDER(order, fence);
}

// The type that is pointed to, without const and volatile; values convert to it.
template <class T> struct builtin_value { typedef T type; };
template <class T> struct builtin_value<const T> { typedef T type; };
template <class T> struct builtin_value<volatile T> { typedef T type; };
template <class T> struct builtin_value<const volatile T> { typedef T type; };
template <class T> SIMT_SMALL typename builtin_value<T>::type *builtin_cell(T *p) {
  return const_cast<typename builtin_value<T>::type *>(p);
}

} // namespace simt

#define SIMT_VALUE typename simt::builtin_value<T>::type

template <class T>
SIMT_SEEN SIMT_VALUE __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return simt::polling_load(simt::builtin_cell(p), simt::builtin_how(order, scope));
}
template <class T>
SIMT_SEEN void __nv_atomic_load(T *p, SIMT_VALUE *result, int order,
                                int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(p, order, scope);
}
template <class T>
SIMT_SEEN void __nv_atomic_store_n(T *p, SIMT_VALUE value, int order,
                                   int scope = __NV_THREAD_SCOPE_SYSTEM) {
  simt::store(simt::builtin_cell(p), value, simt::builtin_how(order, scope));
}
template <class T>
SIMT_SEEN void __nv_atomic_store(T *p, SIMT_VALUE *value, int order,
                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(p, *value, order, scope);
}
template <class T>
SIMT_SEEN SIMT_VALUE __nv_atomic_exchange_n(T *p, SIMT_VALUE value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return simt::exchange(simt::builtin_cell(p), value, simt::builtin_how(order, scope));
}
template <class T>
SIMT_SEEN void __nv_atomic_exchange(T *p, SIMT_VALUE *value, SIMT_VALUE *result, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(p, *value, order, scope);
}
template <class T>
SIMT_SEEN bool __nv_atomic_compare_exchange_n(T *p, SIMT_VALUE *expected, SIMT_VALUE desired, bool,
                                              int success, int failure,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const SIMT_VALUE want = *expected;
  const SIMT_VALUE before =
      simt::compare_exchange(simt::builtin_cell(p), want, desired,
                             simt::builtin_how(success, scope), simt::builtin_how(failure, scope));
  if (__builtin_memcmp(&before, &want, sizeof want) == 0) return true;
  *expected = before;
  return false;
}
template <class T>
SIMT_SEEN bool __nv_atomic_compare_exchange(T *p, SIMT_VALUE *expected, SIMT_VALUE *desired,
                                            bool weak, int success, int failure,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(p, expected, *desired, weak, success, failure, scope);
}

#define SIMT_FETCH(prefix) prefix##add
#include "atomic_builtins.inc"
#define SIMT_FETCH(prefix) prefix##sub
#include "atomic_builtins.inc"
#define SIMT_FETCH(prefix) prefix##and
#include "atomic_builtins.inc"
#define SIMT_FETCH(prefix) prefix## or
#include "atomic_builtins.inc"
#define SIMT_FETCH(prefix) prefix## xor
#include "atomic_builtins.inc"
#define SIMT_FETCH(prefix) prefix##min
#include "atomic_builtins.inc"
#define SIMT_FETCH(prefix) prefix##max
#include "atomic_builtins.inc"
#undef SIMT_VALUE

inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
  simt_fence(SIMT_SCOPE_OF(simt::builtin_how(order, scope)));
}

#endif
