// How a thread of a kernel is run in an instrumented program: simt::runner.
//
// Method   the kernel's lambda passes its captures to a function as arguments: a copy for every
//          thread, which nobody sees being made. What has a copy constructor is copied as bytes
//          and passed by reference: no thread runs a constructor or destructor of it
#ifndef SIMT_RUNNER_INSTRUMENTED_HPP
#define SIMT_RUNNER_INSTRUMENTED_HPP

#include "abi.h"
#include "instrumented_class.hpp"
#include "local_array.hpp"

namespace simt {

template <class T, bool Bytes = __is_trivially_copyable(T)> struct argument_of { typedef T type; };
template <class T> struct argument_of<T, false> { typedef T &type; };
template <class T> using argument = typename argument_of<T>::type;

template <unsigned Flags, class Body, bool Bytes = __is_trivially_copyable(Body)> struct runner {
  static SIMT_QUIET void thread(void *body) { (*static_cast<Body *>(body))(); }
};
template <unsigned Flags, class Body> struct runner<Flags, Body, false> {
  union copy {
    Body own;
    explicit SIMT_QUIET copy(const void *b) { __builtin_memcpy(this, b, sizeof(Body)); }
    SIMT_QUIET ~copy() {}
  };
  static SIMT_QUIET void thread(void *body) {
    copy mine(body);
    mine.own();
  }
};

template <class Body> struct is_possible {
  enum { value = true };
};
template <bool> struct range_of {
  template <class R> static constexpr void (*get())(void *, const simt_range *) { return nullptr; }
};

} // namespace simt
#endif
