// Loads and stores with cache hints, address space queries, and small helpers of device code.
//
// Result   __ldg .. __stwt: plain loads and stores of any type; __isShared and kin;
//          __builtin_assume, __trap, __brkpt, __prof_trigger, __nanosleep, clock64
// Limits   all memory is one address space, so conversions between spaces change nothing
#ifndef SIMT_MEMORY_HINTS_HPP
#define SIMT_MEMORY_HINTS_HPP

#include "simt/atomic/atomic_core.hpp"

namespace simt_math {
template <class T> struct as_given { typedef T type; };
// fresh - a load that the compiler must not take from an earlier one
template <class T> SIMT_SEEN T fresh(const T *address) noexcept {
  __asm__ volatile("" ::: "memory");
  return *address;
}
// volatile_load - one that a checker takes for a read of what others may be writing
template <class T, bool Whole = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0>
struct volatile_load {
  static SIMT_SEEN T from(const T *address) noexcept { return fresh(address); }
};
#if SIMT_INSTRUMENTED
template <class T> struct volatile_load<T, true> {
  static SIMT_SEEN T from(const T *address) noexcept {
    typedef typename simt::cell_of<sizeof(T)>::type cell;
    const cell value = *reinterpret_cast<const volatile cell *>(address);
    return simt::bits<T>(value);
  }
};
#endif
} // namespace simt_math

template <class T> SIMT_SEEN T __ldg(const T *address) noexcept { return *address; }
template <class T> SIMT_SEEN T __ldca(const T *address) noexcept { return *address; }
template <class T> SIMT_SEEN T __ldcs(const T *address) noexcept { return *address; }
template <class T> SIMT_SEEN T __ldlu(const T *address) noexcept { return *address; }
template <class T> SIMT_SEEN T __ldcg(const T *address) noexcept {
  return simt_math::volatile_load<T>::from(address);
}
template <class T> SIMT_SEEN T __ldcv(const T *address) noexcept {
  return simt_math::volatile_load<T>::from(address);
}

template <class T>
SIMT_SEEN void __stwb(T *address, typename simt_math::as_given<T>::type value) noexcept {
  *address = value;
}
template <class T>
SIMT_SEEN void __stcg(T *address, typename simt_math::as_given<T>::type value) noexcept {
  *address = value;
}
template <class T>
SIMT_SEEN void __stcs(T *address, typename simt_math::as_given<T>::type value) noexcept {
  *address = value;
}
template <class T>
SIMT_SEEN void __stwt(T *address, typename simt_math::as_given<T>::type value) noexcept {
  *address = value;
  __asm__ volatile("" ::: "memory");
}

inline unsigned int __isShared(const void *address) noexcept {
  return simt_is_shared(address) ? 1u : 0u;
}
inline unsigned int __isGlobal(const void *address) noexcept {
  return simt_is_global(address) ? 1u : 0u;
}
inline unsigned int __isLocal(const void *address) noexcept {
  return !simt_is_shared(address) && !simt_is_global(address) ? 1u : 0u;
}
inline size_t __cvta_generic_to_global(const void *address) noexcept {
  return reinterpret_cast<size_t>(address);
}
inline size_t __cvta_generic_to_shared(const void *address) noexcept {
  return reinterpret_cast<size_t>(address);
}
inline size_t __cvta_generic_to_local(const void *address) noexcept {
  return reinterpret_cast<size_t>(address);
}
inline size_t __cvta_generic_to_constant(const void *address) noexcept {
  return reinterpret_cast<size_t>(address);
}
inline size_t __cvta_generic_to_grid_constant(const void *address) noexcept {
  return reinterpret_cast<size_t>(address);
}
inline void *__cvta_grid_constant_to_generic(size_t address) noexcept {
  return reinterpret_cast<void *>(address);
}
inline void *__cvta_global_to_generic(size_t address) noexcept {
  return reinterpret_cast<void *>(address);
}
inline void *__cvta_shared_to_generic(size_t address) noexcept {
  return reinterpret_cast<void *>(address);
}
inline void *__cvta_local_to_generic(size_t address) noexcept {
  return reinterpret_cast<void *>(address);
}
inline void *__cvta_constant_to_generic(size_t address) noexcept {
  return reinterpret_cast<void *>(address);
}

// The condition is not evaluated.
#if !defined(__clang__)
#define __builtin_assume(...) static_cast<void>(0)
#define __assume(...) static_cast<void>(0)
#endif

inline void __trap() { simt_trap(); }
inline void __brkpt() { simt_trap(); }
inline void __prof_trigger(int) noexcept {}
// May throw away the thread with its launch, hence not noexcept.
inline void __nanosleep(unsigned int) {
  if (simt_on_device()) simt_yield();
}
inline long long int clock64() noexcept { return simt_clock64(); }

#endif
