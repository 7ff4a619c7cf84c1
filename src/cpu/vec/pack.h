/* pack.h - comparisons to bits, and elements moved together by bits: what each means, and how every set does it
 *
 * within_T(v, span)          bit k: lane k of unsigned integers is at most `span`
 * pack_B(to, from, bits)     those of pack_step_B elements of B bytes whose bit is set, one behind the other
 * index_B(to, first, bits)   first + k of those bits k < index_step_B, as integers of B bytes
 * Up to as many elements as a step has are written, whatever the bits. `to` may be at or below `from`. */
#ifndef HEDDLE_CPU_VEC_PACK_H
#define HEDDLE_CPU_VEC_PACK_H

/* Before a loop whose turns are few and whose counter is to be a constant in each. */
#define VEC_UNROLL _Pragma("GCC unroll 16")

#ifndef VEC_HAS_WITHIN
static inline u64 within_u8(vu8 v, u8 span) { return marks_i8((vi8)(v <= span - (vu8){0})); }
static inline u64 within_u16(vu16 v, u16 span) { return marks_i16((vi16)(v <= span - (vu16){0})); }
static inline u64 within_u32(vu32 v, u32 span) { return marks_i32((vi32)(v <= span - (vu32){0})); }
static inline u64 within_u64(vu64 v, u64 span) { return marks_i64((vi64)(v <= span - (vu64){0})); }
#endif

/* Element by element, without a branch: each is written where the next one belongs. */
static inline __attribute__((always_inline)) void pack_each(char *to, const char *from, u32 bits,
                                                            size_t step, size_t bytes) {
  for (size_t k = 0; k < step; k++) {
    memcpy(to, from + k * bytes, bytes);
    to += (bits >> k & 1) * bytes;
  }
}

#ifndef VEC_HAS_PACK
enum { pack_step_1 = 8, pack_step_2 = 8, pack_step_4 = 8, pack_step_8 = 8 };
enum { index_step_4 = 8, index_step_8 = 8 };
static inline void pack_1(char *to, const char *from, u32 bits) { pack_each(to, from, bits, 8, 1); }
static inline void pack_2(char *to, const char *from, u32 bits) { pack_each(to, from, bits, 8, 2); }
static inline void pack_4(char *to, const char *from, u32 bits) { pack_each(to, from, bits, 8, 4); }
static inline void pack_8(char *to, const char *from, u32 bits) { pack_each(to, from, bits, 8, 8); }
static inline void index_4(char *to, u64 first, u32 bits) {
  for (u32 k = 0; k < index_step_4; k++) {
    const u32 at = (u32)first + k;
    memcpy(to, &at, sizeof at);
    to += (bits >> k & 1) * sizeof at;
  }
}
static inline void index_8(char *to, u64 first, u32 bits) {
  for (u32 k = 0; k < index_step_8; k++) {
    const u64 at = first + k;
    memcpy(to, &at, sizeof at);
    to += (bits >> k & 1) * sizeof at;
  }
}
#endif

#ifndef VEC_HAS_PACK_16
enum { pack_step_16 = 8 };
static inline void pack_16(char *to, const char *from, u32 bits) {
  pack_each(to, from, bits, 8, 16);
}
#endif

#endif
