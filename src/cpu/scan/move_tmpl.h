/* move_tmpl.h - moves between lanes for one lane type
 *
 * Parameters  MOVE_T       lane type: u32, i32, f32, u64, i64 or f64
 *             MOVE_BITS    of a lane, a literal
 *             MOVE_LANES   VEC_BYTES / sizeof(MOVE_T), a literal: 2, 4, 8 or 16
 * Result      even_T(a, b), odd_T(a, b)  the lanes of even (odd) index of a, then those of b
 *             low_T(a, b), high_T(a, b)  a0 b0 a1 b1 ..: the first and the second half of that
 *             even_in16_T, odd_in16_T, low_in16_T, high_in16_T  the same in each 16 bytes of a and b
 *             even_of16_T, odd_of16_T, low_of16_T, high_of16_T  the same, 16 bytes being a lane
 *             next_T(a, b)               a moved down by one lane, b's first lane behind it
 *             upD_T(a, b)                b moved up by D lanes, a's first D lanes below it
 *             last_T(a)                  a's last lane in every lane
 *             swapD_T(a)                 neighbouring blocks of D lanes exchanged
 *             rightD_T(a, b)             b in each second block of D lanes, else a
 * Lanes move within 16 bytes in one cycle, across them in three. */
#define MOVE_CAT_(a, b, c) a##b##c
#define MOVE_CAT(a, b, c) MOVE_CAT_(a, b, c)
#define MOVE_V MOVE_CAT(v, MOVE_T, )
#define MOVE_FN(name) MOVE_CAT(name, _, MOVE_T)
#define MOVE_LIST(name) MOVE_CAT(SCAN_, name##_, MOVE_LANES)
#define MOVE_PAIR_(name, bits, lanes) SCAN_##name##_IN16_##bits##_##lanes
#define MOVE_PAIR__(name, bits, lanes) MOVE_PAIR_(name, bits, lanes)
#define MOVE_PAIR(name) MOVE_PAIR__(name, MOVE_BITS, MOVE_LANES)

static inline MOVE_V MOVE_FN(even)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(EVEN));
}
static inline MOVE_V MOVE_FN(even_in16)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_PAIR(EVEN));
}
static inline MOVE_V MOVE_FN(odd)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(ODD));
}
static inline MOVE_V MOVE_FN(odd_in16)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_PAIR(ODD));
}
static inline MOVE_V MOVE_FN(low)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(LOW));
}
static inline MOVE_V MOVE_FN(low_in16)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_PAIR(LOW));
}
static inline MOVE_V MOVE_FN(high)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(HIGH));
}
static inline MOVE_V MOVE_FN(high_in16)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_PAIR(HIGH));
}
#if VEC_BYTES > 16
#if VEC_BYTES == 64
#define MOVE_16(name, a, b) \
  (MOVE_V) __builtin_shufflevector((vu64)(a), (vu64)(b), SCAN_##name##_OF16_8)
#else
#define MOVE_16(name, a, b) \
  (MOVE_V) __builtin_shufflevector((vu64)(a), (vu64)(b), SCAN_##name##_OF16_4)
#endif
static inline MOVE_V MOVE_FN(even_of16)(MOVE_V a, MOVE_V b) { return MOVE_16(EVEN, a, b); }
static inline MOVE_V MOVE_FN(odd_of16)(MOVE_V a, MOVE_V b) { return MOVE_16(ODD, a, b); }
static inline MOVE_V MOVE_FN(low_of16)(MOVE_V a, MOVE_V b) { return MOVE_16(LOW, a, b); }
static inline MOVE_V MOVE_FN(high_of16)(MOVE_V a, MOVE_V b) { return MOVE_16(HIGH, a, b); }
#undef MOVE_16
#endif
static inline MOVE_V MOVE_FN(next)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(NEXT));
}
static inline MOVE_V MOVE_FN(up1)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(UP1));
}
static inline MOVE_V MOVE_FN(last)(MOVE_V a) {
  return __builtin_shufflevector(a, a, MOVE_LIST(LAST));
}
static inline MOVE_V MOVE_FN(swap1)(MOVE_V a) {
  return __builtin_shufflevector(a, a, MOVE_LIST(SWAP1));
}
static inline MOVE_V MOVE_FN(right1)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(RIGHT1));
}
#if MOVE_LANES >= 4
static inline MOVE_V MOVE_FN(up2)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(UP2));
}
static inline MOVE_V MOVE_FN(swap2)(MOVE_V a) {
  return __builtin_shufflevector(a, a, MOVE_LIST(SWAP2));
}
static inline MOVE_V MOVE_FN(right2)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(RIGHT2));
}
#endif
#if MOVE_LANES >= 8
static inline MOVE_V MOVE_FN(up4)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(UP4));
}
static inline MOVE_V MOVE_FN(swap4)(MOVE_V a) {
  return __builtin_shufflevector(a, a, MOVE_LIST(SWAP4));
}
static inline MOVE_V MOVE_FN(right4)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(RIGHT4));
}
#endif
#if MOVE_LANES >= 16
static inline MOVE_V MOVE_FN(up8)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(UP8));
}
static inline MOVE_V MOVE_FN(swap8)(MOVE_V a) {
  return __builtin_shufflevector(a, a, MOVE_LIST(SWAP8));
}
static inline MOVE_V MOVE_FN(right8)(MOVE_V a, MOVE_V b) {
  return __builtin_shufflevector(a, b, MOVE_LIST(RIGHT8));
}
#endif

#undef MOVE_CAT_
#undef MOVE_CAT
#undef MOVE_V
#undef MOVE_FN
#undef MOVE_LIST
#undef MOVE_PAIR_
#undef MOVE_PAIR__
#undef MOVE_PAIR
#undef MOVE_T
#undef MOVE_BITS
#undef MOVE_LANES
