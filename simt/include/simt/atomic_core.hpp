// Atomic operations on cells of 1 to 8 bytes, as templates.
//
// Result   simt::fetch_add, fetch_min, exchange, compare_exchange ...: the value before
// Method   a block runs on one OS thread and is preempted only between instructions, so that
//          one plain instruction is atomic for shared memory; other memory takes the lock
//          prefix (a histogram in shared memory: 0.8 ns an add instead of 6). A call that
//          changes nothing is one that may be polling: every 16th lets other threads run
// Limits   all are relaxed by CUDA's definition; the exchanging forms also hold the compiler
//          back, since old programs build locks from them without fences
// Source   CUDA C++ Programming Guide, Atomic Functions
#ifndef SIMT_ATOMIC_CORE_HPP
#define SIMT_ATOMIC_CORE_HPP

#include "abi.h"

#if defined __x86_64__ && !defined __SANITIZE_THREAD__
#define SIMT_UNLOCKED 1
#else
#define SIMT_UNLOCKED 0
#endif

namespace simt {

#define SIMT_INLINE inline __attribute__((always_inline))

// Nobody but this OS thread sees the memory.
SIMT_INLINE bool unshared(const void *p) {
  const simt_shared_ranges &r = simt_shared;
  const uintptr_t a = reinterpret_cast<uintptr_t>(p);
  return SIMT_UNLOCKED && (a - r.static_begin < r.static_end - r.static_begin ||
                           a - r.dynamic_begin < r.dynamic_end - r.dynamic_begin);
}

inline void polled() {
  static __thread unsigned count;
  if ((++count & 15) == 0) simt_yield();
}

// A thread that walks over memory alone, far ahead of its neighbours, finds nothing of it in
// the cache: 64 steps, then the others.
SIMT_INLINE void took_a_step() {
  if (--simt_turns == 0) simt_rest();
}

// ---- One cell, no lock ---------------------------------------------------------------------

#if SIMT_UNLOCKED
template <class T> SIMT_INLINE T plain_add(T *p, T v) {
  __asm__ volatile("xadd %0, %1" : "+r"(v), "+m"(*p) : : "cc");
  return v;
}
template <class T> SIMT_INLINE T plain_exchange(T *p, T v) {
  T before;
  // xchg locks by itself: compare and exchange until the guess is right.
  for (before = *p;;) {
    T seen = before;
    __asm__ volatile("cmpxchg %2, %1" : "+a"(seen), "+m"(*p) : "r"(v) : "cc", "memory");
    if (seen == before) return before;
    before = seen;
  }
}
template <class T> SIMT_INLINE T plain_compare_exchange(T *p, T expected, T desired) {
  __asm__ volatile("cmpxchg %2, %1" : "+a"(expected), "+m"(*p) : "r"(desired) : "cc", "memory");
  return expected;
}
#else
template <class T> SIMT_INLINE T plain_add(T *, T v) { return v; }
template <class T> SIMT_INLINE T plain_exchange(T *, T v) { return v; }
template <class T> SIMT_INLINE T plain_compare_exchange(T *, T, T desired) { return desired; }
#endif

// ---- Integers of 1, 2, 4 or 8 bytes -----------------------------------------------------------

template <class T> SIMT_INLINE T compare_exchange_cell(T *p, T expected, T desired) {
  if (unshared(p)) return plain_compare_exchange(p, expected, desired);
  __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

template <class T> SIMT_INLINE T exchange_cell(T *p, T v) {
  const T before = unshared(p) ? plain_exchange(p, v) : __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
  if (before == v) polled();
  return before;
}

template <class T> SIMT_INLINE T add_cell(T *p, T v) {
  if (v == 0) polled();
  took_a_step();
  return unshared(p) ? plain_add(p, v) : __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

// The unsigned integer as wide as a T.
template <unsigned Bytes> struct cell_of {};
template <> struct cell_of<1> { typedef unsigned char type; };
template <> struct cell_of<2> { typedef unsigned short type; };
template <> struct cell_of<4> { typedef unsigned int type; };
template <> struct cell_of<8> { typedef unsigned long long type; };

template <class To, class From> SIMT_INLINE To bits(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "as wide");
  To to;
  __builtin_memcpy(static_cast<void *>(&to), &from, sizeof to);
  return to;
}

// ---- Any type of such a size --------------------------------------------------------------------

// *p = change(*p) in one step. A change to the same value needs no write: reading it was the
// step. Nobody is let run after a failed exchange, since another's success is progress.
template <class T, class Change> SIMT_INLINE T update(T *p, Change change) {
  typedef typename cell_of<sizeof(T)>::type cell;
  cell *const c = reinterpret_cast<cell *>(p);
  cell before = __atomic_load_n(c, __ATOMIC_SEQ_CST);
  for (;;) {
    const cell after = bits<cell>(change(bits<T>(before)));
    if (after == before) {
      polled();
      return bits<T>(before);
    }
    const cell seen = compare_exchange_cell(c, before, after);
    if (seen == before) return bits<T>(before);
    before = seen;
  }
}

template <class T> SIMT_INLINE T exchange(T *p, T v) {
  typedef typename cell_of<sizeof(T)>::type cell;
  return bits<T>(exchange_cell(reinterpret_cast<cell *>(p), bits<cell>(v)));
}

template <class T> SIMT_INLINE T compare_exchange(T *p, T expected, T desired) {
  typedef typename cell_of<sizeof(T)>::type cell;
  const cell want = bits<cell>(expected), now = bits<cell>(desired);
  const cell before = compare_exchange_cell(reinterpret_cast<cell *>(p), want, now);
  if (before != want || want == now) polled();
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

template <bool Whole> struct adder {
  template <class T> static SIMT_INLINE T add(T *p, T v) {
    return update(p, [v](T x) { return T(x + v); });
  }
};
template <> struct adder<true> {
  template <class T> static SIMT_INLINE T add(T *p, T v) {
    typedef typename cell_of<sizeof(T)>::type cell;
    return bits<T>(add_cell(reinterpret_cast<cell *>(p), bits<cell>(v)));
  }
};

// Integers wrap; other types add by their own operator +.
template <class T> SIMT_INLINE T fetch_add(T *p, T v) {
  return adder<is_whole<T>::value>::add(p, v);
}
template <class T> SIMT_INLINE T fetch_sub(T *p, T v) { return fetch_add(p, T(T(0) - v)); }
template <class T> SIMT_INLINE T fetch_min(T *p, T v) {
  return update(p, [v](T x) { return v < x ? v : x; });
}
template <class T> SIMT_INLINE T fetch_max(T *p, T v) {
  return update(p, [v](T x) { return x < v ? v : x; });
}
template <class T> SIMT_INLINE T fetch_and(T *p, T v) {
  return update(p, [v](T x) { return T(x & v); });
}
template <class T> SIMT_INLINE T fetch_or(T *p, T v) {
  return update(p, [v](T x) { return T(x | v); });
}
template <class T> SIMT_INLINE T fetch_xor(T *p, T v) {
  return update(p, [v](T x) { return T(x ^ v); });
}

} // namespace simt
#endif
