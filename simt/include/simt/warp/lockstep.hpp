// Assignments at which the lanes of a warp meet, for code that counts on lockstep.
//
// Result   simt::in_step(s[t]) += x: every lane has read what it adds before any stores, and
//          every lane has stored before any goes on
// Method   a lane rests before and after it stores: it goes on when no other one of its block
//          can. Nobody waits for lanes that do not come
// Source   what the rewriter makes of assignments to elements of volatile arrays
#ifndef SIMT_LOCKSTEP_HPP
#define SIMT_LOCKSTEP_HPP

#include "../abi.h"
#include "../instrumented.hpp"

namespace simt {

inline void rest(unsigned int times) {
  for (; times; times--) simt_rest();
}

template <class T> struct stepped {
  volatile T &at;
  // To a checker this is a plain write: keeping in step orders nothing.
  SIMT_QUIET T store(T value) const {
    simt_rest();
    notify_write(const_cast<T *>(&at), sizeof(T));
    at = value;
    simt_rest();
    return value;
  }
  template <class V> T operator=(const V &v) const { return store(static_cast<T>(v)); }
  T operator=(const stepped &v) const { return store(v.at); }
  template <class V> T operator+=(const V &v) const { return store(static_cast<T>(at + v)); }
  template <class V> T operator-=(const V &v) const { return store(static_cast<T>(at - v)); }
  template <class V> T operator*=(const V &v) const { return store(static_cast<T>(at * v)); }
  template <class V> T operator/=(const V &v) const { return store(static_cast<T>(at / v)); }
  template <class V> T operator%=(const V &v) const { return store(static_cast<T>(at % v)); }
  template <class V> T operator&=(const V &v) const { return store(static_cast<T>(at & v)); }
  template <class V> T operator|=(const V &v) const { return store(static_cast<T>(at | v)); }
  template <class V> T operator^=(const V &v) const { return store(static_cast<T>(at ^ v)); }
};

template <class T> inline stepped<T> in_step(volatile T &at) { return stepped<T>{at}; }

} // namespace simt
#endif
