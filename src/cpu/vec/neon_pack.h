/* neon_pack.h - pack.h's comparisons by NEON: weights of lanes, added */
#ifndef HEDDLE_CPU_VEC_NEON_PACK_H
#define HEDDLE_CPU_VEC_NEON_PACK_H

#define VEC_HAS_WITHIN
static inline u64 within_u8(vu8 v, u8 span) {
  static const u8 weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t bits = vandq_u8(vcleq_u8((uint8x16_t)v, vdupq_n_u8(span)), vld1q_u8(weight));
  return (u64)vaddv_u8(vget_low_u8(bits)) | (u64)vaddv_u8(vget_high_u8(bits)) << 8;
}
static inline u64 within_u16(vu16 v, u16 span) {
  static const u16 weight[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  return vaddvq_u16(vandq_u16(vcleq_u16((uint16x8_t)v, vdupq_n_u16(span)), vld1q_u16(weight)));
}
static inline u64 within_u32(vu32 v, u32 span) {
  static const u32 weight[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(vcleq_u32((uint32x4_t)v, vdupq_n_u32(span)), vld1q_u32(weight)));
}
static inline u64 within_u64(vu64 v, u64 span) {
  return (u64)(v[0] <= span) | (u64)(v[1] <= span) << 1;
}

#include "pack.h"

#endif
