/* swap.h - neighbouring runs of 32, 16, 8, 4, 2 or 1 bytes change places within a vector
 *
 * What folding a vector on its own half needs: after v = v op swap(v), a lane holds the same as
 * its partner. Widths above half a vector do not exist. */
#ifndef HEDDLE_CPU_VEC_SWAP_H
#define HEDDLE_CPU_VEC_SWAP_H

#if VEC_BYTES == 64
static inline vu64 swap32(vu64 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3); }
static inline vu64 swap16(vu64 v) { return __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5); }
static inline vu64 swap8(vu64 v) { return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6); }
#elif VEC_BYTES == 32
static inline vu64 swap16(vu64 v) { return __builtin_shufflevector(v, v, 2, 3, 0, 1); }
static inline vu64 swap8(vu64 v) { return __builtin_shufflevector(v, v, 1, 0, 3, 2); }
#else
static inline vu64 swap8(vu64 v) { return __builtin_shufflevector(v, v, 1, 0); }
#endif
static inline vu64 swap4(vu64 v) { return (v >> 32) | (v << 32); }
static inline vu64 swap2(vu64 v) {
  const u64 low = UINT64_C(0x0000ffff0000ffff);
  return ((v >> 16) & low) | ((v & low) << 16);
}
static inline vu64 swap1(vu64 v) {
  const u64 low = UINT64_C(0x00ff00ff00ff00ff);
  return ((v >> 8) & low) | ((v & low) << 8);
}

#endif
