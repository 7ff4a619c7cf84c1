// Warp functions of CUDA C.
//
// Result   __shfl*_sync, votes, matches, __reduce_*_sync, __activemask, and the forms without
//          a mask of before CUDA 9
// Method   warp_core.hpp; the call site comes by default arguments
// Limits   the forms without a mask are taken by the lanes that are at the call together
// Source   CUDA C++ Programming Guide, Warp Vote, Match, Reduce and Shuffle Functions
#ifndef SIMT_WARP_HPP
#define SIMT_WARP_HPP

#include "barrier.hpp"
#include "warp_core.hpp"

#ifndef warpSize
constexpr int warpSize = 32;
#endif

#define SIMT_T int
#include "warp_shuffle.inc"
#define SIMT_T unsigned
#include "warp_shuffle.inc"
#define SIMT_T long
#include "warp_shuffle.inc"
#define SIMT_T unsigned long
#include "warp_shuffle.inc"
#define SIMT_T long long
#include "warp_shuffle.inc"
#define SIMT_T unsigned long long
#include "warp_shuffle.inc"
#define SIMT_T float
#include "warp_shuffle.inc"
#define SIMT_T double
#include "warp_shuffle.inc"

#define SIMT_T int
#include "warp_reduce.inc"
#define SIMT_T unsigned
#include "warp_reduce.inc"

inline SIMT_QUIET unsigned __reduce_and_sync(unsigned mask, unsigned value,
                                             const char *file = __builtin_FILE(),
                                             int line = __builtin_LINE()) {
  return simt::fold(mask, value, simt::op_and(), "__reduce_and_sync", {file, line});
}
inline SIMT_QUIET unsigned __reduce_or_sync(unsigned mask, unsigned value,
                                            const char *file = __builtin_FILE(),
                                            int line = __builtin_LINE()) {
  return simt::fold(mask, value, simt::op_or(), "__reduce_or_sync", {file, line});
}
inline SIMT_QUIET unsigned __reduce_xor_sync(unsigned mask, unsigned value,
                                             const char *file = __builtin_FILE(),
                                             int line = __builtin_LINE()) {
  return simt::fold(mask, value, simt::op_xor(), "__reduce_xor_sync", {file, line});
}

inline SIMT_QUIET unsigned __ballot_sync(unsigned mask, int predicate,
                                         const char *file = __builtin_FILE(),
                                         int line = __builtin_LINE()) {
  return simt::vote(mask, predicate, "__ballot_sync", {file, line}).ones;
}
inline SIMT_QUIET int __any_sync(unsigned mask, int predicate, const char *file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
  return simt::vote(mask, predicate, "__any_sync", {file, line}).ones != 0;
}
inline SIMT_QUIET int __all_sync(unsigned mask, int predicate, const char *file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
  const simt::ballot b = simt::vote(mask, predicate, "__all_sync", {file, line});
  return b.ones == b.lanes;
}
inline SIMT_QUIET int __uni_sync(unsigned mask, int predicate, const char *file = __builtin_FILE(),
                                 int line = __builtin_LINE()) {
  const simt::ballot b = simt::vote(mask, predicate, "__uni_sync", {file, line});
  return b.ones == b.lanes || b.ones == 0;
}

inline SIMT_QUIET unsigned __activemask(const char *file = __builtin_FILE(),
                                        int line = __builtin_LINE()) {
  return simt_converged(file, line);
}

// ---- Before CUDA 9: whoever is there takes part ---------------------------------------------
// For programs that ask for a device from before Volta (-arch=sm_60): nvcc has them for no other.
// Templates with free index types, so that a program's own functions of these names win.
#ifdef __SIMT_BEFORE_VOLTA__

template <class P>
inline SIMT_QUIET unsigned __ballot(P predicate, const char *file = __builtin_FILE(),
                                    int line = __builtin_LINE()) {
  return simt::vote(simt_converged(file, line), predicate ? 1 : 0, "__ballot", {file, line}).ones;
}
template <class P>
inline SIMT_QUIET int __any(P predicate, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  return simt::vote(simt_converged(file, line), predicate ? 1 : 0, "__any", {file, line}).ones != 0;
}
template <class P>
inline SIMT_QUIET int __all(P predicate, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  const simt::ballot b =
      simt::vote(simt_converged(file, line), predicate ? 1 : 0, "__all", {file, line});
  return b.ones == b.lanes;
}
template <class T, class I>
inline SIMT_QUIET T __shfl(T var, I lane, int width = 32, const char *file = __builtin_FILE(),
                           int line = __builtin_LINE()) {
  return simt::shuffle(simt::SHUFFLE_INDEX, simt_converged(file, line), var, unsigned(lane), width,
                       "__shfl", {file, line});
}
template <class T, class I>
inline SIMT_QUIET T __shfl_up(T var, I delta, int width = 32, const char *file = __builtin_FILE(),
                              int line = __builtin_LINE()) {
  return simt::shuffle(simt::SHUFFLE_UP, simt_converged(file, line), var, unsigned(delta), width,
                       "__shfl_up", {file, line});
}
template <class T, class I>
inline SIMT_QUIET T __shfl_down(T var, I delta, int width = 32, const char *file = __builtin_FILE(),
                                int line = __builtin_LINE()) {
  return simt::shuffle(simt::SHUFFLE_DOWN, simt_converged(file, line), var, unsigned(delta), width,
                       "__shfl_down", {file, line});
}
template <class T, class I>
inline SIMT_QUIET T __shfl_xor(T var, I lane_mask, int width = 32,
                               const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  return simt::shuffle(simt::SHUFFLE_XOR, simt_converged(file, line), var, unsigned(lane_mask),
                       width, "__shfl_xor", {file, line});
}
#endif

#endif
