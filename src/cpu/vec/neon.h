/* neon.h - NEON of 64-bit Arm: 16-byte vectors
 *
 * The wrappers for which this instruction set has intrinsics: loads that widen, f16, least and greatest;
 * then those of histograms and of scans, of which vec/histogram_generic.h and vec/scalar.h have
 * the meaning. Moves between lanes need none: compilers make UZP, ZIP and EXT of them.
 * trunc gives the nearest integer of the type for numbers that do not fit, and -1 for NaN. */
#include <arm_neon.h>

#define VEC_BYTES 16
#define VEC_ISA "neon"
#include "order/exact/fixed_sum.h"
#include "types.h"

/* ---- loads that widen, and conversions to f64 ---------------------------------------------------- */

#include <string.h>

/* Eight, four or two bytes in the low lanes of a vector, nothing in the others. */
static inline uint8x8_t eight_bytes(const void *p) { return vld1_u8(p); }
static inline uint8x8_t four_bytes(const void *p) {
  u32 word;
  memcpy(&word, p, sizeof word);
  return vcreate_u8(word);
}
static inline uint8x8_t two_bytes(const void *p) {
  u16 word;
  memcpy(&word, p, sizeof word);
  return vcreate_u8(word);
}
static inline uint16x4_t two_halves(const void *p) { return vreinterpret_u16_u8(four_bytes(p)); }

static inline uint32x4_t widened_u16(uint16x4_t v) { return vmovl_u16(v); }
static inline int32x4_t widened_i16(uint16x4_t v) { return vmovl_s16(vreinterpret_s16_u16(v)); }
static inline uint16x4_t widened_u8(uint8x8_t v) { return vget_low_u16(vmovl_u8(v)); }
static inline uint16x4_t widened_i8(uint8x8_t v) {
  return vreinterpret_u16_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(v))));
}

static inline vu32 load_u8_u32(const void *p) {
  return (vu32)widened_u16(widened_u8(four_bytes(p)));
}
static inline vi32 load_i8_i32(const void *p) {
  return (vi32)widened_i16(widened_i8(four_bytes(p)));
}
static inline vu32 load_u16_u32(const void *p) {
  return (vu32)widened_u16(vreinterpret_u16_u8(eight_bytes(p)));
}
static inline vi32 load_i16_i32(const void *p) {
  return (vi32)widened_i16(vreinterpret_u16_u8(eight_bytes(p)));
}

static inline vu64 low_half_u64(uint32x4_t v) { return (vu64)vmovl_u32(vget_low_u32(v)); }
static inline vi64 low_half_i64(int32x4_t v) { return (vi64)vmovl_s32(vget_low_s32(v)); }
static inline vu64 load_u8_u64(const void *p) {
  return low_half_u64(widened_u16(widened_u8(two_bytes(p))));
}
static inline vi64 load_i8_i64(const void *p) {
  return low_half_i64(widened_i16(widened_i8(two_bytes(p))));
}
static inline vu64 load_u16_u64(const void *p) { return low_half_u64(widened_u16(two_halves(p))); }
static inline vi64 load_i16_i64(const void *p) { return low_half_i64(widened_i16(two_halves(p))); }
static inline vu64 load_u32_u64(const void *p) {
  return (vu64)vmovl_u32(vreinterpret_u32_u8(eight_bytes(p)));
}
static inline vi64 load_i32_i64(const void *p) {
  return (vi64)vmovl_s32(vreinterpret_s32_u8(eight_bytes(p)));
}

static inline vf64 f64_of_u64(vu64 v) { return (vf64)vcvtq_f64_u64((uint64x2_t)v); }
static inline vf64 f64_of_i64(vi64 v) { return (vf64)vcvtq_f64_s64((int64x2_t)v); }
static inline vf64 load_u8_f64(const void *p) { return f64_of_u64(load_u8_u64(p)); }
static inline vf64 load_i8_f64(const void *p) { return f64_of_i64(load_i8_i64(p)); }
static inline vf64 load_u16_f64(const void *p) { return f64_of_u64(load_u16_u64(p)); }
static inline vf64 load_i16_f64(const void *p) { return f64_of_i64(load_i16_i64(p)); }
static inline vf64 load_u32_f64(const void *p) { return f64_of_u64(load_u32_u64(p)); }
static inline vf64 load_i32_f64(const void *p) { return f64_of_i64(load_i32_i64(p)); }
static inline vf64 load_u64_f64(const void *p) {
  vu64 v;
  memcpy(&v, p, sizeof v);
  return f64_of_u64(v);
}
static inline vf64 load_i64_f64(const void *p) {
  vi64 v;
  memcpy(&v, p, sizeof v);
  return f64_of_i64(v);
}
static inline vf64 load_f32_f64(const void *p) {
  return (vf64)vcvt_f64_f32(vreinterpret_f32_u8(eight_bytes(p)));
}

/* ---- the portable words, then the rest of its own ------------------------------------------------ */

#define VEC_HAS_WIDENING
#define VEC_HAS_F16
#define VEC_HAS_ORDER
#define VEC_HAS_PRODUCT_ERROR
#include "vec.h"

static inline vf64 product_error_f64(vf64 a, vf64 b, vf64 product) {
  return -(vf64)vfmsq_f64((float64x2_t)product, (float64x2_t)a, (float64x2_t)b);
}

/* Every f16 is an f32, and an f64. */
static inline vf32 load_f16_f32(const void *p) {
  return (vf32)vcvt_f32_f16(vreinterpret_f16_u8(eight_bytes(p)));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)vcvt_f64_f32(vget_low_f32(vcvt_f32_f16(vreinterpret_f16_u8(four_bytes(p)))));
}

static inline vu8 lesser_u8(vu8 a, vu8 b) { return (vu8)vminq_u8((uint8x16_t)a, (uint8x16_t)b); }
static inline vu8 greater_u8(vu8 a, vu8 b) { return (vu8)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b); }
static inline vu16 lesser_u16(vu16 a, vu16 b) {
  return (vu16)vminq_u16((uint16x8_t)a, (uint16x8_t)b);
}
static inline vu16 greater_u16(vu16 a, vu16 b) {
  return (vu16)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b);
}
static inline vu32 lesser_u32(vu32 a, vu32 b) {
  return (vu32)vminq_u32((uint32x4_t)a, (uint32x4_t)b);
}
static inline vu32 greater_u32(vu32 a, vu32 b) {
  return (vu32)vmaxq_u32((uint32x4_t)a, (uint32x4_t)b);
}
static inline vi8 lesser_i8(vi8 a, vi8 b) { return (vi8)vminq_s8((int8x16_t)a, (int8x16_t)b); }
static inline vi8 greater_i8(vi8 a, vi8 b) { return (vi8)vmaxq_s8((int8x16_t)a, (int8x16_t)b); }
static inline vi16 lesser_i16(vi16 a, vi16 b) {
  return (vi16)vminq_s16((int16x8_t)a, (int16x8_t)b);
}
static inline vi16 greater_i16(vi16 a, vi16 b) {
  return (vi16)vmaxq_s16((int16x8_t)a, (int16x8_t)b);
}
static inline vi32 lesser_i32(vi32 a, vi32 b) {
  return (vi32)vminq_s32((int32x4_t)a, (int32x4_t)b);
}
static inline vi32 greater_i32(vi32 a, vi32 b) {
  return (vi32)vmaxq_s32((int32x4_t)a, (int32x4_t)b);
}

/* NEON has no 64-bit minimum. */
#define VEC_T u64
#include "order_tmpl.h"
#undef VEC_T
#define VEC_T i64
#include "order_tmpl.h"
#undef VEC_T

/* ---- histograms ---------------------------------------------------------------------------------- */

/* The conversion makes 0 of NaN, which would be a bin. */
static inline vi32 hist_trunc_f32(vf32 t) {
  return (vi32)vcvtq_s32_f32((float32x4_t)t) | (vi32)(t != t);
}
static inline vi64 hist_trunc_f64(vf64 t) {
  return (vi64)vcvtq_s64_f64((float64x2_t)t) | (vi64)(t != t);
}

static inline vf32 hist_gather_f32(const f32 *table, vi32 i) {
  return (vf32){table[i[0]], table[i[1]], table[i[2]], table[i[3]]};
}
static inline vf64 hist_gather_f64(const f64 *table, vi64 i) {
  return (vf64){table[i[0]], table[i[1]]};
}
static inline vi32 hist_gather_i32(const u32 *table, vi32 i) {
  return (vi32)(vu32){table[i[0]], table[i[1]], table[i[2]], table[i[3]]};
}
static inline vi64 hist_gather_i64(const u32 *table, vi64 i) {
  return (vi64){(i32)table[i[0]], (i32)table[i[1]]};
}

static inline bool hist_any_i32(vi32 v) { return vmaxvq_u32((uint32x4_t)v) != 0; }
static inline bool hist_any_i64(vi64 v) { return hist_any_i32((vi32)v); }

static inline bool hist_doubtful_i32(vi32 t, u32 margin, u32 keep, u32 limit) {
  const vu32 u = (vu32)t;
  return hist_any_i32((vi32)(((u + margin) & keep) == 0) | (vi32)(u >= limit));
}
static inline bool hist_doubtful_i64(vi64 t, u32 margin, u32 keep, u32 limit) {
  const vu64 u = (vu64)t;
  return hist_any_i64((vi64)(((u + margin) & (u64)keep) == 0) | (vi64)(u >= (u64)limit));
}
static inline bool hist_outside_f32(vf32 x, f32 first, f32 last) {
  return hist_any_i32(~((x >= first) & (x <= last)));
}
static inline bool hist_outside_f64(vf64 x, f64 first, f64 last) {
  return hist_any_i64(~((x >= first) & (x <= last)));
}

static inline void hist_store_i32(u32 *out, vi32 v) { vst1q_u32(out, (uint32x4_t)v); }
static inline void hist_store_i64(u32 *out, vi64 v) { vst1_u32(out, vmovn_u64((uint64x2_t)v)); }

/* Few lanes are marked, so that most vectors need the one test. */
static inline size_t hist_pick_f32(u32 *at, f32 *x, vi32 marked, u32 from, vf32 v) {
  size_t n = 0;
  if (vminvq_s32((int32x4_t)marked) >= 0) return 0;
  for (u32 k = 0; k < (u32)LANES32; k++) {
    at[n] = from + k;
    x[n] = v[k];
    n += marked[k] < 0;
  }
  return n;
}
static inline size_t hist_pick_f64(u32 *at, f64 *x, vi64 marked, u32 from, vf64 v) {
  size_t n = 0;
  for (u32 k = 0; k < (u32)LANES64; k++) {
    at[n] = from + k;
    x[n] = v[k];
    n += marked[k] < 0;
  }
  return n;
}

static inline void hist_store_pairs(i64 *out, vi64 hi, vi64 lo) {
  vst1q_s64(out, vzip1q_s64((int64x2_t)hi, (int64x2_t)lo));
  vst1q_s64(out + 2, vzip2q_s64((int64x2_t)hi, (int64x2_t)lo));
}
static inline void hist_add_pair(struct hd_accumulator *accumulator, const i64 *pair) {
  accumulator->hi += pair[0];
  accumulator->lo += pair[1];
  accumulator->count++;
}

static inline size_t hist_drop(u32 *index, size_t n, u32 value) {
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    u32 v = index[i];
    index[left] = v;
    left += v != value;
  }
  return left;
}

/* ---- scans: stores past the caches are the processor's own choice here --------------------------- */

static inline void store_f32_f16(void *p, vf32 v) {
  vst1_u16(p, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)v)));
}
static inline vf32 canonical_f32(vf32 v) { return keep_f32(v, hd_f32_of_bits(HD_NAN_F32)); }
static inline vf64 canonical_f64(vf64 v) { return keep_f64(v, hd_f64_of_bits(HD_NAN_F64)); }

#include "rank_generic.h"
