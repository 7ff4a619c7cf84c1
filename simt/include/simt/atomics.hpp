// Atomic functions of CUDA C.
//
// Result   atomicAdd, Sub, Exch, Min, Max, Inc, Dec, CAS, And, Or, Xor, in the forms for the
//          device, the block (_block) and the system (_system); all return the value before
// Method   atomic_core.hpp; every scope is served by the same code
// Limits   those of half and bfloat16 stand in the headers of these types, through
//          simt::update; denormals are kept
// Source   CUDA C++ Programming Guide, Atomic Functions
#ifndef SIMT_ATOMICS_HPP
#define SIMT_ATOMICS_HPP

#include "../vector_types.h"
#include "atomic_core.hpp"

namespace simt {
SIMT_INLINE unsigned fetch_inc(unsigned *p, unsigned limit) {
  return update(p, [limit](unsigned x) { return x >= limit ? 0 : x + 1; });
}
SIMT_INLINE unsigned fetch_dec(unsigned *p, unsigned limit) {
  return update(p, [limit](unsigned x) { return x == 0 || x > limit ? limit : x - 1; });
}
} // namespace simt

#define SIMT_ATOMIC(name) atomic##name
#include "atomic_scope.inc"
#define SIMT_ATOMIC(name) atomic##name##_block
#include "atomic_scope.inc"
#define SIMT_ATOMIC(name) atomic##name##_system
#include "atomic_scope.inc"

#endif
