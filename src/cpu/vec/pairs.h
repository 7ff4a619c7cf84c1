/* pairs.h - neighbouring lanes of f64 taken apart
 *
 * even_lanes(a, b) and odd_lanes(a, b) are the lanes of even and of odd index of a, then those of b. */
#ifndef HEDDLE_CPU_VEC_PAIRS_H
#define HEDDLE_CPU_VEC_PAIRS_H

#include "types.h"

#if VEC_BYTES == 64
static inline vf64 even_lanes(vf64 a, vf64 b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}
static inline vf64 odd_lanes(vf64 a, vf64 b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
#elif VEC_BYTES == 32
static inline vf64 even_lanes(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
static inline vf64 odd_lanes(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }
#else
static inline vf64 even_lanes(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 0, 2); }
static inline vf64 odd_lanes(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 1, 3); }
#endif

#endif
