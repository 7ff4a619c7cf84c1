// Atomic operations on integer cells of 1, 2, 4 or 8 bytes, in programs that just run.
//
// Result   simt::add_cell, exchange_cell, compare_exchange_cell, load_cell, store_cell, update_cell
// Method   a block runs on one OS thread and is preempted only between instructions, so that
//          one plain instruction is atomic for shared memory; other memory takes the lock
//          prefix (a histogram in shared memory: 0.8 ns an add instead of 6)
// Limits   every operation is sequentially consistent, whatever order is asked for
#ifndef SIMT_ATOMIC_CELL_HPP
#define SIMT_ATOMIC_CELL_HPP

#include "../abi.h"

namespace simt {

// Nobody but this OS thread sees the memory.
SIMT_INLINE bool unshared(const void *p) {
#ifdef __x86_64__
  const simt_shared_ranges &r = simt_shared;
  const uintptr_t a = reinterpret_cast<uintptr_t>(p);
  return a - r.static_begin < r.static_end - r.static_begin ||
         a - r.dynamic_begin < r.dynamic_end - r.dynamic_begin;
#else
  (void)p;
  return false;
#endif
}

// A thread that walks over memory alone, far ahead of its neighbours, finds nothing of it in
// the cache: 64 steps, then the others.
SIMT_INLINE void took_a_step() {
  if (--simt_turns == 0) simt_rest();
}

// ---- One cell, no lock ---------------------------------------------------------------------

#ifdef __x86_64__
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

// ---- Any memory --------------------------------------------------------------------------------

template <class T> SIMT_INLINE T load_cell(const T *p, int) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
template <class T> SIMT_INLINE void store_cell(T *p, T v, int) {
  __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
}
template <class T> SIMT_INLINE T compare_exchange_cell(T *p, T expected, T desired, int, int) {
  if (unshared(p)) return plain_compare_exchange(p, expected, desired);
  __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
template <class T> SIMT_INLINE T exchange_cell(T *p, T v, int) {
  return unshared(p) ? plain_exchange(p, v) : __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}
template <class T> SIMT_INLINE T add_cell(T *p, T v, int) {
  took_a_step();
  return unshared(p) ? plain_add(p, v) : __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

// *p = change(*p) in one step. A change to the same value needs no write: reading it was the
// step. Nobody is let run after a failed exchange, since another's success is progress.
template <class T, class Change> SIMT_INLINE T update_cell(T *p, Change change, int) {
  T before = load_cell(p, 0);
  for (;;) {
    const T after = change(before);
    if (after == before) return before;
    const T seen = compare_exchange_cell(p, before, after, 0, 0);
    if (seen == before) return before;
    before = seen;
  }
}

} // namespace simt
#endif
