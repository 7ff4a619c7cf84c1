/* neighbours.h - lanes of f32 and f64 that are neighbours, and those a few apart, by the cheapest moves
 *
 * left_T_k(a, b), right_T_k(a, b)  the lanes that are folded at level k, 1 to 4, of a tree over neighbours: vectors
 *                     at level 1 have the elements in order, those of a level are what the one before made of two.
 *                     Lanes may lie as is cheapest in between; behind level NEIGHBOURS_IN_ORDER(T) they are in
 *                     order, and the same begins again.
 * second_T(a, b), third_T(a, b, c), fourth_T(a, b, c, d)  every second, third and fourth lane of a, then b .., from
 *                     the first on, not in order: as second_in_order_T .. puts them. */
#ifndef HEDDLE_CPU_VEC_NEIGHBOURS_H
#define HEDDLE_CPU_VEC_NEIGHBOURS_H

#include "types.h"

#if VEC_BYTES == 32

/* Permutations across the halves of a vector take longest: of f64 every second level moves whole halves, of f32
 * every third one. */
#define NEIGHBOURS_IN_ORDER(T) (sizeof(T) == 4 ? 3 : 2)

/* a01 a23 b01 b23 | a45 a67 ..; then a0123 b c d | a4567 ..; then a b c d | e f g h. */
static inline vf32 left_f32_1(vf32 a, vf32 b) {
  return __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
}
static inline vf32 right_f32_1(vf32 a, vf32 b) {
  return __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}
static inline vf32 left_f32_2(vf32 a, vf32 b) { return left_f32_1(a, b); }
static inline vf32 right_f32_2(vf32 a, vf32 b) { return right_f32_1(a, b); }
static inline vf32 left_f32_3(vf32 a, vf32 b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
static inline vf32 right_f32_3(vf32 a, vf32 b) {
  return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}
static inline vf32 left_f32_4(vf32 a, vf32 b) { return left_f32_1(a, b); }
static inline vf32 right_f32_4(vf32 a, vf32 b) { return right_f32_1(a, b); }

/* a01 b01 | a23 b23; then a b | c d. */
static inline vf64 left_f64_1(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6); }
static inline vf64 right_f64_1(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 1, 5, 3, 7); }
static inline vf64 left_f64_2(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
static inline vf64 right_f64_2(vf64 a, vf64 b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }
static inline vf64 left_f64_3(vf64 a, vf64 b) { return left_f64_1(a, b); }
static inline vf64 right_f64_3(vf64 a, vf64 b) { return right_f64_1(a, b); }
static inline vf64 left_f64_4(vf64 a, vf64 b) { return left_f64_2(a, b); }
static inline vf64 right_f64_4(vf64 a, vf64 b) { return right_f64_2(a, b); }

static inline vf32 second_f32(vf32 a, vf32 b) { return left_f32_1(a, b); }
static inline vf32 second_in_order_f32(vf32 v) {
  return __builtin_shufflevector(v, v, 0, 1, 4, 5, 2, 3, 6, 7);
}
/* Each lane is wanted of one vector alone. */
static inline vf32 third_f32(vf32 a, vf32 b, vf32 c) {
  const vf32 ab = __builtin_shufflevector(a, b, 0, 9, 2, 3, 12, 5, 6, 15);
  return __builtin_shufflevector(ab, c, 0, 1, 10, 3, 4, 13, 6, 7);
}
static inline vf32 third_in_order_f32(vf32 v) {
  return __builtin_shufflevector(v, v, 0, 3, 6, 1, 4, 7, 2, 5);
}
static inline vf32 fourth_f32(vf32 a, vf32 b, vf32 c, vf32 d) {
  return second_f32(second_f32(a, b), second_f32(c, d));
}
static inline vf32 fourth_in_order_f32(vf32 v) {
  return __builtin_shufflevector(v, v, 0, 4, 1, 5, 2, 6, 3, 7);
}

static inline vf64 second_f64(vf64 a, vf64 b) { return left_f64_1(a, b); }
static inline vf64 second_in_order_f64(vf64 v) { return __builtin_shufflevector(v, v, 0, 2, 1, 3); }
static inline vf64 third_f64(vf64 a, vf64 b, vf64 c) {
  const vf64 ab = __builtin_shufflevector(a, b, 0, 1, 6, 3);
  return __builtin_shufflevector(ab, c, 0, 5, 2, 3);
}
static inline vf64 third_in_order_f64(vf64 v) { return __builtin_shufflevector(v, v, 0, 3, 2, 1); }
static inline vf64 fourth_f64(vf64 a, vf64 b, vf64 c, vf64 d) {
  return left_f64_2(left_f64_1(a, b), left_f64_1(c, d));
}
static inline vf64 fourth_in_order_f64(vf64 v) { return v; }

#else

#define NEIGHBOURS_IN_ORDER(T) 1

#if VEC_BYTES == 64
#define NEIGHBOURS_EVEN_f32 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define NEIGHBOURS_ODD_f32 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define NEIGHBOURS_EVEN_f64 0, 2, 4, 6, 8, 10, 12, 14
#define NEIGHBOURS_ODD_f64 1, 3, 5, 7, 9, 11, 13, 15
/* Lane l is 3 l: those of a and b, behind which those of c come. -1 is any lane. */
static inline vf32 third_f32(vf32 a, vf32 b, vf32 c) {
  const vf32 ab =
      __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, -1, -1, -1, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
}
static inline vf64 third_f64(vf64 a, vf64 b, vf64 c) {
  const vf64 ab = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 10, 13);
}
#else
#define NEIGHBOURS_EVEN_f32 0, 2, 4, 6
#define NEIGHBOURS_ODD_f32 1, 3, 5, 7
#define NEIGHBOURS_EVEN_f64 0, 2
#define NEIGHBOURS_ODD_f64 1, 3
static inline vf32 third_f32(vf32 a, vf32 b, vf32 c) {
  const vf32 ab = __builtin_shufflevector(a, b, 0, 3, 6, -1);
  return __builtin_shufflevector(ab, c, 0, 1, 2, 5);
}
static inline vf64 third_f64(vf64 a, vf64 b, vf64 c) {
  return (void)c, __builtin_shufflevector(a, b, 0, 3);
}
#endif

#define NEIGHBOURS_EVEN(T, a, b) __builtin_shufflevector(a, b, NEIGHBOURS_EVEN_##T)
#define NEIGHBOURS_ODD(T, a, b) __builtin_shufflevector(a, b, NEIGHBOURS_ODD_##T)
static inline vf32 left_f32_1(vf32 a, vf32 b) { return NEIGHBOURS_EVEN(f32, a, b); }
static inline vf32 right_f32_1(vf32 a, vf32 b) { return NEIGHBOURS_ODD(f32, a, b); }
static inline vf32 left_f32_2(vf32 a, vf32 b) { return NEIGHBOURS_EVEN(f32, a, b); }
static inline vf32 right_f32_2(vf32 a, vf32 b) { return NEIGHBOURS_ODD(f32, a, b); }
static inline vf32 left_f32_3(vf32 a, vf32 b) { return NEIGHBOURS_EVEN(f32, a, b); }
static inline vf32 right_f32_3(vf32 a, vf32 b) { return NEIGHBOURS_ODD(f32, a, b); }
static inline vf32 left_f32_4(vf32 a, vf32 b) { return NEIGHBOURS_EVEN(f32, a, b); }
static inline vf32 right_f32_4(vf32 a, vf32 b) { return NEIGHBOURS_ODD(f32, a, b); }
static inline vf32 second_f32(vf32 a, vf32 b) { return NEIGHBOURS_EVEN(f32, a, b); }
static inline vf32 fourth_f32(vf32 a, vf32 b, vf32 c, vf32 d) {
  return second_f32(second_f32(a, b), second_f32(c, d));
}
static inline vf32 second_in_order_f32(vf32 v) { return v; }
static inline vf32 third_in_order_f32(vf32 v) { return v; }
static inline vf32 fourth_in_order_f32(vf32 v) { return v; }
static inline vf64 left_f64_1(vf64 a, vf64 b) { return NEIGHBOURS_EVEN(f64, a, b); }
static inline vf64 right_f64_1(vf64 a, vf64 b) { return NEIGHBOURS_ODD(f64, a, b); }
static inline vf64 left_f64_2(vf64 a, vf64 b) { return NEIGHBOURS_EVEN(f64, a, b); }
static inline vf64 right_f64_2(vf64 a, vf64 b) { return NEIGHBOURS_ODD(f64, a, b); }
static inline vf64 left_f64_3(vf64 a, vf64 b) { return NEIGHBOURS_EVEN(f64, a, b); }
static inline vf64 right_f64_3(vf64 a, vf64 b) { return NEIGHBOURS_ODD(f64, a, b); }
static inline vf64 left_f64_4(vf64 a, vf64 b) { return NEIGHBOURS_EVEN(f64, a, b); }
static inline vf64 right_f64_4(vf64 a, vf64 b) { return NEIGHBOURS_ODD(f64, a, b); }
static inline vf64 second_f64(vf64 a, vf64 b) { return NEIGHBOURS_EVEN(f64, a, b); }
static inline vf64 fourth_f64(vf64 a, vf64 b, vf64 c, vf64 d) {
  return second_f64(second_f64(a, b), second_f64(c, d));
}
static inline vf64 second_in_order_f64(vf64 v) { return v; }
static inline vf64 third_in_order_f64(vf64 v) { return v; }
static inline vf64 fourth_in_order_f64(vf64 v) { return v; }

#endif

#endif
