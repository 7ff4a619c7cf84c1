// Atomic operations on cells of 1 to 8 bytes, as templates.
//
// Result   simt::fetch_add, fetch_min, exchange, compare_exchange ...: the value before
// Method   on integer cells as wide (atomic_cell.hpp, atomic_cell_instrumented.hpp). A call that
//          changes nothing is one that may be polling: every 16th lets other threads run
// Limits   the exchanging forms also hold the compiler back, since old programs build locks
//          from them without fences
// Source   CUDA C++ Programming Guide, Atomic Functions
#ifndef SIMT_ATOMIC_CORE_HPP
#define SIMT_ATOMIC_CORE_HPP

#include "../abi.h"
#include "../instrumented.hpp"

#define SIMT_INLINE inline __attribute__((always_inline))
#if SIMT_INSTRUMENTED
#include "atomic_cell_instrumented.hpp"
#else
#include "atomic_cell.hpp"
#endif

namespace simt {

// How an operation is done, where the program does not say: CUDA's own functions are relaxed.
enum { RELAXED = SIMT_ORDER(__ATOMIC_RELAXED, SIMT_FENCE_DEVICE) };

inline SIMT_QUIET void polled() {
  static __thread unsigned count;
  if ((++count & 15) == 0) simt_yield();
}
// A branch of its own would show in a profile.
inline SIMT_QUIET void polled_if(bool nothing_changed) {
  if (nothing_changed) polled();
}

// The unsigned integer as wide as a T.
template <unsigned Bytes> struct cell_of {};
template <> struct cell_of<1> { typedef unsigned char type; };
template <> struct cell_of<2> { typedef unsigned short type; };
template <> struct cell_of<4> { typedef unsigned int type; };
template <> struct cell_of<8> { typedef unsigned long long type; };

template <class To, class From> SIMT_SMALL To bits(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "as wide");
  To to;
  __builtin_memcpy(static_cast<void *>(&to), &from, sizeof to);
  return to;
}

// ---- Any type of such a size --------------------------------------------------------------------

// What `change` does to a T, on the cell that holds it.
template <class T, class Change> struct cell_change {
  typedef typename cell_of<sizeof(T)>::type cell;
  const Change &change;
  SIMT_SMALL cell operator()(cell c) const { return bits<cell>(change(bits<T>(c))); }
};

// *p = change(*p) in one step.
template <class T, class Change>
SIMT_INLINE T update(T *p, const Change &change, int how = RELAXED) {
  typedef typename cell_of<sizeof(T)>::type cell;
  const cell_change<T, Change> cells = {change};
  const cell before = update_cell(reinterpret_cast<cell *>(p), cells, how);
  polled_if(cells(before) == before);
  return bits<T>(before);
}

template <class T> SIMT_INLINE T load(const T *p, int how) {
  typedef typename cell_of<sizeof(T)>::type cell;
  return bits<T>(load_cell(reinterpret_cast<const cell *>(p), how));
}

template <class T> SIMT_INLINE void store(T *p, T v, int how) {
  typedef typename cell_of<sizeof(T)>::type cell;
  store_cell(reinterpret_cast<cell *>(p), bits<cell>(v), how);
}

template <class T> SIMT_INLINE T exchange(T *p, T v, int how = RELAXED) {
  typedef typename cell_of<sizeof(T)>::type cell;
  const cell now = bits<cell>(v), before = exchange_cell(reinterpret_cast<cell *>(p), now, how);
  polled_if(before == now);
  return bits<T>(before);
}

template <class T>
SIMT_INLINE T compare_exchange(T *p, T expected, T desired, int how = RELAXED,
                               int failed = RELAXED) {
  typedef typename cell_of<sizeof(T)>::type cell;
  const cell want = bits<cell>(expected), now = bits<cell>(desired);
  const cell before = compare_exchange_cell(reinterpret_cast<cell *>(p), want, now, how, failed);
  polled_if((before != want) | (want == now));
  return bits<T>(before);
}

template <class T> struct is_whole {
  enum { value = 0 };
};
template <> struct is_whole<int> {
  enum { value = 1 };
};
template <> struct is_whole<unsigned> {
  enum { value = 1 };
};
template <> struct is_whole<long> {
  enum { value = 1 };
};
template <> struct is_whole<unsigned long> {
  enum { value = 1 };
};
template <> struct is_whole<long long> {
  enum { value = 1 };
};
template <> struct is_whole<unsigned long long> {
  enum { value = 1 };
};

template <class T> struct plus {
  T v;
  SIMT_SMALL T operator()(T x) const { return T(x + v); }
};
template <class T> struct least {
  T v;
  SIMT_SMALL T operator()(T x) const { return v < x ? v : x; }
};
template <class T> struct greatest {
  T v;
  SIMT_SMALL T operator()(T x) const { return x < v ? v : x; }
};
template <class T> struct both {
  T v;
  SIMT_SMALL T operator()(T x) const { return T(x & v); }
};
template <class T> struct either {
  T v;
  SIMT_SMALL T operator()(T x) const { return T(x | v); }
};
template <class T> struct unlike {
  T v;
  SIMT_SMALL T operator()(T x) const { return T(x ^ v); }
};

template <bool Whole> struct adder {
  template <class T> static SIMT_INLINE T to(T *p, T v, int how) {
    return update(p, plus<T>{v}, how);
  }
};
template <> struct adder<true> {
  template <class T> static SIMT_INLINE T to(T *p, T v, int how) {
    typedef typename cell_of<sizeof(T)>::type cell;
    polled_if(v == T(0));
    return bits<T>(add_cell(reinterpret_cast<cell *>(p), bits<cell>(v), how));
  }
};

// Integers wrap; other types add by their own operator +.
template <class T> SIMT_INLINE T fetch_add(T *p, T v, int how = RELAXED) {
  return adder<is_whole<T>::value>::to(p, v, how);
}
template <class T> SIMT_INLINE T fetch_sub(T *p, T v, int how = RELAXED) {
  return fetch_add(p, T(T(0) - v), how);
}
template <class T> SIMT_INLINE T fetch_min(T *p, T v, int how = RELAXED) {
  return update(p, least<T>{v}, how);
}
template <class T> SIMT_INLINE T fetch_max(T *p, T v, int how = RELAXED) {
  return update(p, greatest<T>{v}, how);
}
template <class T> SIMT_INLINE T fetch_and(T *p, T v, int how = RELAXED) {
  return update(p, both<T>{v}, how);
}
template <class T> SIMT_INLINE T fetch_or(T *p, T v, int how = RELAXED) {
  return update(p, either<T>{v}, how);
}
template <class T> SIMT_INLINE T fetch_xor(T *p, T v, int how = RELAXED) {
  return update(p, unlike<T>{v}, how);
}

} // namespace simt
#endif
