/* thirds.h - third_T(a, b, c): every third lane of a, then b, then c, from the first on, of f32 and f64 */
#ifndef HEDDLE_CPU_VEC_THIRDS_H
#define HEDDLE_CPU_VEC_THIRDS_H

#include "types.h"

/* Lane l is 3 l: those of a and b, behind which those of c come. -1 is any lane. */
#if VEC_BYTES == 64
static inline vf32 third_f32(vf32 a, vf32 b, vf32 c) {
  const vf32 ab =
      __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, -1, -1, -1, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
}
static inline vf64 third_f64(vf64 a, vf64 b, vf64 c) {
  const vf64 ab = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 10, 13);
}
#elif VEC_BYTES == 32
static inline vf32 third_f32(vf32 a, vf32 b, vf32 c) {
  const vf32 ab = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 10, 13);
}
static inline vf64 third_f64(vf64 a, vf64 b, vf64 c) {
  const vf64 ab = __builtin_shufflevector(a, b, 0, 3, 6, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 5);
}
#else
static inline vf32 third_f32(vf32 a, vf32 b, vf32 c) {
  const vf32 ab = __builtin_shufflevector(a, b, 0, 3, 6, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 5);
}
static inline vf64 third_f64(vf64 a, vf64 b, vf64 c) {
  return (void)c, __builtin_shufflevector(a, b, 0, 3);
}
#endif

#endif
