/* pairs.h - neighbouring lanes of f64 taken apart
 *
 * even_lanes(a, b) and odd_lanes(a, b) are the lanes of even and of odd index of a, then those of b.
 * pairs_first, pairs_second and pairs_third do it for eight vectors, then for the four that their pairs became, then
 * for two; what comes of the last two is in order after pairs_in_order. Between them lanes may lie as is cheapest. */
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

#if VEC_BYTES == 32
/* Of a and b the pairs a01 b01 a23 b23; of those the fours a b c d; of those the eights ab ef cd gh. */
static inline void pairs_first(vf64 a, vf64 b, vf64 *left, vf64 *right) {
  *left = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  *right = __builtin_shufflevector(a, b, 1, 5, 3, 7);
}
static inline void pairs_second(vf64 a, vf64 b, vf64 *left, vf64 *right) {
  *left = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  *right = __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
static inline vf64 pairs_in_order(vf64 v) { return __builtin_shufflevector(v, v, 0, 2, 1, 3); }
#else
static inline void pairs_first(vf64 a, vf64 b, vf64 *left, vf64 *right) {
  *left = even_lanes(a, b), *right = odd_lanes(a, b);
}
static inline void pairs_second(vf64 a, vf64 b, vf64 *left, vf64 *right) {
  pairs_first(a, b, left, right);
}
static inline vf64 pairs_in_order(vf64 v) { return v; }
#endif
static inline void pairs_third(vf64 a, vf64 b, vf64 *left, vf64 *right) {
  pairs_first(a, b, left, right);
}

#endif
