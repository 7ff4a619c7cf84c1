// The barrier that counts arrivals, as C functions.
//
// Result   __mbarrier_*; who has waited successfully sees what was written before the arrivals
// Method   simt/cuda/phase_word.hpp; a token is the barrier's word before the arrival
// Source   CUDA C++ Programming Guide, Asynchronous Barriers, Primitives Interface
#ifndef SIMT_CUDA_AWBARRIER_PRIMITIVES_H
#define SIMT_CUDA_AWBARRIER_PRIMITIVES_H

#include "simt/cuda/phase_word.hpp"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

namespace simt {
inline SIMT_QUIET void no_completion() {}
} // namespace simt

SIMT_SMALL unsigned __mbarrier_maximum_count() { return simt::PHASE_LIMIT; }
SIMT_SEEN void __mbarrier_init(__mbarrier_t *barrier, unsigned expected) {
  *barrier = simt::phase_new(expected);
}
SIMT_SEEN void __mbarrier_inval(__mbarrier_t *barrier) { *barrier = 0; }
SIMT_SEEN __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  return simt::phase_arrive(barrier, 1, false, simt::no_completion);
}
SIMT_SEEN __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  return simt::phase_arrive(barrier, 1, true, simt::no_completion);
}
SIMT_SMALL unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return simt::phase_pending(token);
}
SIMT_SEEN bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  return simt::phase_test(barrier, simt::phase_number(token));
}
SIMT_SEEN bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  return simt::phase_test_parity(barrier, parity);
}
SIMT_SEEN bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, unsigned = 0) {
  return simt::phase_test(barrier, simt::phase_number(token));
}
SIMT_SEEN bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, unsigned = 0) {
  return simt::phase_test_parity(barrier, parity);
}

#endif
