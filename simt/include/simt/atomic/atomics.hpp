// Atomic functions of CUDA C.
//
// Result   atomicAdd, Sub, Exch, Min, Max, Inc, Dec, CAS, And, Or, Xor, in the forms for the
//          device, the block (_block) and the system (_system); all return the value before
// Method   atomic_core.hpp; all scopes are served alike; a checker learns which
// Limits   those of half and bfloat16 stand in the headers of these types, through
//          simt::update; denormals are kept
// Source   CUDA C++ Programming Guide, Atomic Functions
#ifndef SIMT_ATOMICS_HPP
#define SIMT_ATOMICS_HPP

#include "../../vector_types.h"
#include "atomic_core.hpp"

namespace simt {
struct wraps_up {
  unsigned limit;
  SIMT_SMALL unsigned operator()(unsigned x) const { return x >= limit ? 0 : x + 1; }
};
struct wraps_down {
  unsigned limit;
  SIMT_SMALL unsigned operator()(unsigned x) const { return x == 0 || x > limit ? limit : x - 1; }
};
SIMT_INLINE unsigned fetch_inc(unsigned *p, unsigned limit, int how = RELAXED) {
  return update(p, wraps_up{limit}, how);
}
SIMT_INLINE unsigned fetch_dec(unsigned *p, unsigned limit, int how = RELAXED) {
  return update(p, wraps_down{limit}, how);
}
} // namespace simt

#define SIMT_ATOMIC(name) atomic##name
#define SIMT_SCOPE SIMT_FENCE_DEVICE
#include "atomic_scope.inc"
#define SIMT_ATOMIC(name) atomic##name##_block
#define SIMT_SCOPE SIMT_FENCE_BLOCK
#include "atomic_scope.inc"
#define SIMT_ATOMIC(name) atomic##name##_system
#define SIMT_SCOPE SIMT_FENCE_SYSTEM
#include "atomic_scope.inc"

#endif
