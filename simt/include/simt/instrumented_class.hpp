// Classes that an instrumented program hands to functions and gets from them.
//
// Result   simt::kept(f()): what a function returned, as an object of its own; simt::seen(a[i]):
//          the same object, and its reading is made known
// Method   the compiler puts no call before an access that is part of a function call: where
//          `q[i] = f()` stores a class, and where `f(p[i])` copies one. kept makes an assignment
//          of the one, seen notifies of the other. Numbers and pointers never go that way
// Source   what the rewriter makes of expressions (rewrite/device/classes.c)
#ifndef SIMT_INSTRUMENTED_CLASS_HPP
#define SIMT_INSTRUMENTED_CLASS_HPP

#include "instrumented.hpp"

namespace simt {

template <class T> struct bare_type { typedef T type; };
template <class T> struct bare_type<T &> { typedef T type; };
template <class T> struct bare_type<T &&> { typedef T type; };

template <class T> struct is_class_type {
  typedef typename bare_type<T>::type type;
  enum { value = __is_class(type) || __is_union(type) };
};
template <bool, class T> struct if_class {};
template <class T> struct if_class<true, T> { typedef T type; };

// A copy of a class that is as aligned as it is large is one access; it has to be aligned.
template <size_t Bytes, size_t Aligned> struct copied {
  static SIMT_SEEN void notify(const volatile void *p) {
    notify_alignment(p, Aligned);
    notify_read(const_cast<const void *>(p), Bytes);
  }
};
#if SIMT_INSTRUMENTED
template <> struct copied<2, 2> {
  static SIMT_SEEN void notify(const volatile void *p) { __tsan_read2(const_cast<void *>(p)); }
};
template <> struct copied<4, 4> {
  static SIMT_SEEN void notify(const volatile void *p) { __tsan_read4(const_cast<void *>(p)); }
};
template <> struct copied<8, 8> {
  static SIMT_SEEN void notify(const volatile void *p) { __tsan_read8(const_cast<void *>(p)); }
};
template <> struct copied<16, 16> {
  static SIMT_SEEN void notify(const volatile void *p) {
    notify_alignment(p, 16);
    __tsan_read16(const_cast<void *>(p));
  }
};
#endif

template <class T>
constexpr SIMT_SEEN typename if_class<is_class_type<T>::value, T &&>::type kept(T &&value) {
  return static_cast<T &&>(value);
}
template <class T>
constexpr SIMT_SEEN typename if_class<!is_class_type<T>::value, T>::type kept(T value) {
  return value;
}

template <class T>
constexpr SIMT_SEEN typename if_class<is_class_type<T>::value, T &&>::type seen(T &&object) {
  if (!__builtin_is_constant_evaluated())
    copied<sizeof object, alignof(typename bare_type<T>::type)>::notify(
        &reinterpret_cast<const volatile char &>(object));
  return static_cast<T &&>(object);
}
template <class T>
constexpr SIMT_SEEN typename if_class<!is_class_type<T>::value, T &&>::type seen(T &&object) {
  return static_cast<T &&>(object);
}

} // namespace simt
#endif
