// Atomic operations on integer cells of 1, 2, 4 or 8 bytes, in instrumented programs.
//
// Result   simt::add_cell, exchange_cell, compare_exchange_cell, load_cell, store_cell, update_cell
// Method   each is one call into libsimt.so, with the order and the scope that the program asked
//          for (abi.h, SIMT_ORDER). The compiler makes such calls of its builtins only where the
//          order is a constant, which nothing is without optimisation
// Limits   an update looks at its cell unseen before it counts as one exchange
#ifndef SIMT_ATOMIC_CELL_INSTRUMENTED_HPP
#define SIMT_ATOMIC_CELL_INSTRUMENTED_HPP

#include "../abi.h"
#include "../instrumented.hpp"

#define SIMT_CALL(name) __tsan_atomic8_##name
#define SIMT_CELL unsigned char
#define SIMT_WORD unsigned char
#include "atomic_calls.inc"
#define SIMT_CALL(name) __tsan_atomic16_##name
#define SIMT_CELL unsigned short
#define SIMT_WORD unsigned short
#include "atomic_calls.inc"
#define SIMT_CALL(name) __tsan_atomic32_##name
#define SIMT_CELL unsigned int
#define SIMT_WORD unsigned int
#include "atomic_calls.inc"
#define SIMT_CALL(name) __tsan_atomic64_##name
#define SIMT_CELL unsigned long long
#define SIMT_WORD unsigned long
#include "atomic_calls.inc"

namespace simt {

template <class T> SIMT_QUIET T unseen(const T *p) { return *p; }

#ifdef __SIMT_PROFILE__
// In lockstep all lanes would look before any of them exchanges. Straight code is one turn.
template <class T, class Change> SIMT_INLINE T update_cell(T *p, Change change, int how) {
  const T before = unseen(p);
  return compare_exchange_cell(p, before, change(before), how, SIMT_OWN_LOOP);
}
#else
// A failed exchange is tried again only where the cell has changed: one that may not be written
// (it is outside of every allocation) stays what it is.
template <class T, class Change> SIMT_INLINE T update_cell(T *p, Change change, int how) {
  T before = unseen(p);
  for (;;) {
    const T seen = compare_exchange_cell(p, before, change(before), how, SIMT_OWN_LOOP);
    if (seen == before) return before;
    before = seen;
  }
}
#endif

} // namespace simt
#endif
