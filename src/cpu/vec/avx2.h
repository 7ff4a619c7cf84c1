/* avx2.h - AVX2, FMA and F16C: 32-byte vectors
 *
 * The wrappers for which this instruction set has intrinsics: loads that widen, least and greatest,
 * keys; then those of histograms and of scans. vec/histogram_generic.h and vec/scalar.h have
 * the meaning of the latter.
 * trunc gives INT32_MIN, which is outside every range, for NaN and for numbers that do not fit. */
#include <immintrin.h>

#define VEC_BYTES 32
#define VEC_ISA "avx2"
#include "order/exact/fixed_sum.h"
#include "types.h"

/* ---- loads that widen, and conversions to f64 ---------------------------------------------------- */

#include <string.h>

static inline __m128i four_bytes(const void *p) {
  i32 word;
  memcpy(&word, p, sizeof word);
  return _mm_cvtsi32_si128(word);
}
static inline vu32 load_u8_u32(const void *p) {
  return (vu32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
}
static inline vi32 load_i8_i32(const void *p) {
  return (vi32)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p));
}
static inline vu32 load_u16_u32(const void *p) {
  return (vu32)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vi32 load_i16_i32(const void *p) {
  return (vi32)_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vu64 load_u8_u64(const void *p) { return (vu64)_mm256_cvtepu8_epi64(four_bytes(p)); }
static inline vi64 load_i8_i64(const void *p) { return (vi64)_mm256_cvtepi8_epi64(four_bytes(p)); }
static inline vu64 load_u16_u64(const void *p) {
  return (vu64)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vi64 load_i16_i64(const void *p) {
  return (vi64)_mm256_cvtepi16_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vu64 load_u32_u64(const void *p) {
  return (vu64)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vi64 load_i32_i64(const void *p) {
  return (vi64)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vf64 load_u8_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepu8_epi32(four_bytes(p)));
}
static inline vf64 load_i8_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepi8_epi32(four_bytes(p)));
}
static inline vf64 load_u16_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_i16_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_i32_f64(const void *p) {
  return (vf64)_mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)p));
}
/* 2^52 with the integer in its low bits, less 2^52: exact. */
static inline vf64 load_u32_f64(const void *p) {
  vu64 bits = load_u32_u64(p) | UINT64_C(0x4330000000000000);
  return (vf64)bits - 0x1p52;
}
/* The low halves above 2^52, the high ones above 2^84: both are exact, and so is taking these off the high ones'.
 * The sum rounds once. `top` is the bits of 2^84, and of 2^63 more where the sign is a bit to turn. */
static inline vf64 f64_of_halves(__m256i v, u64 top) {
  const __m256i low = _mm256_blend_epi32(_mm256_set1_epi64x(0x4330000000000000), v, 0x55);
  const __m256i high =
      _mm256_xor_si256(_mm256_srli_epi64(v, 32), _mm256_set1_epi64x((long long)top));
  const vf64 above = (vf64)((vu64){0} + (top + UINT64_C(0x100000)));
  return ((vf64)high - above) + (vf64)low;
}
static inline vf64 load_u64_f64(const void *p) {
  return f64_of_halves(_mm256_loadu_si256((const __m256i *)p), UINT64_C(0x4530000000000000));
}
static inline vf64 load_i64_f64(const void *p) {
  return f64_of_halves(_mm256_loadu_si256((const __m256i *)p), UINT64_C(0x4530000080000000));
}
static inline vf64 load_f32_f64(const void *p) {
  return (vf64)_mm256_cvtps_pd(_mm_loadu_ps((const float *)p));
}
static inline vf64 load_bf16_f64(const void *p) {
  const __m128i upper = _mm_slli_epi32(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)p)), 16);
  return (vf64)_mm256_cvtps_pd(_mm_castsi128_ps(upper));
}

/* ---- the portable words, then the rest of its own ------------------------------------------------ */

#define VEC_HAS_WIDENING
#define VEC_HAS_BF16_F64
#define VEC_HAS_F16
#define VEC_HAS_ORDER
#define VEC_HAS_VALUES
#define VEC_HAS_PRODUCT_ERROR
#define VEC_BYTES_OF_MARKS
#define VEC_SIGNED_ORDER
static inline u64 marks_i32(vi32 mask);
static inline u64 marks_i64(vi64 mask);
/* Packing goes by halves of a vector, whose bytes change places at the end. */
static inline __m256i load_256(const void *p, size_t v) {
  return _mm256_loadu_si256((const __m256i *)p + v);
}
static inline void four_bytes_of_32(const void *from, void *to) {
  const __m256i ab = _mm256_packs_epi32(load_256(from, 0), load_256(from, 1));
  const __m256i cd = _mm256_packs_epi32(load_256(from, 2), load_256(from, 3));
  const __m256i bytes = _mm256_and_si256(_mm256_packs_epi16(ab, cd), _mm256_set1_epi8(1));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(bytes, order));
}
static inline void four_bytes_of_64(const void *from, void *to) {
  const __m256i ab = _mm256_packs_epi32(load_256(from, 0), load_256(from, 1));
  const __m256i cd = _mm256_packs_epi32(load_256(from, 2), load_256(from, 3));
  const __m256i all = _mm256_packs_epi32(ab, cd), two = _mm256_packs_epi16(all, all);
  const __m128i low = _mm256_castsi256_si128(two), high = _mm256_extracti128_si256(two, 1);
  const __m128i bytes = _mm_and_si128(_mm_unpacklo_epi16(low, high), _mm_set1_epi8(1));
  _mm_storeu_si128((__m128i *)to, bytes);
}
#include "vec.h"

static inline vf32 load_f16_f32(const void *p) {
  return (vf32)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)p)));
}

static inline vu8 lesser_u8(vu8 a, vu8 b) { return (vu8)_mm256_min_epu8((__m256i)a, (__m256i)b); }
static inline vu8 greater_u8(vu8 a, vu8 b) { return (vu8)_mm256_max_epu8((__m256i)a, (__m256i)b); }
static inline vu16 lesser_u16(vu16 a, vu16 b) {
  return (vu16)_mm256_min_epu16((__m256i)a, (__m256i)b);
}
static inline vu16 greater_u16(vu16 a, vu16 b) {
  return (vu16)_mm256_max_epu16((__m256i)a, (__m256i)b);
}
static inline vu32 lesser_u32(vu32 a, vu32 b) {
  return (vu32)_mm256_min_epu32((__m256i)a, (__m256i)b);
}
static inline vu32 greater_u32(vu32 a, vu32 b) {
  return (vu32)_mm256_max_epu32((__m256i)a, (__m256i)b);
}
static inline vi8 lesser_i8(vi8 a, vi8 b) { return (vi8)_mm256_min_epi8((__m256i)a, (__m256i)b); }
static inline vi8 greater_i8(vi8 a, vi8 b) { return (vi8)_mm256_max_epi8((__m256i)a, (__m256i)b); }
static inline vi16 lesser_i16(vi16 a, vi16 b) {
  return (vi16)_mm256_min_epi16((__m256i)a, (__m256i)b);
}
static inline vi16 greater_i16(vi16 a, vi16 b) {
  return (vi16)_mm256_max_epi16((__m256i)a, (__m256i)b);
}
static inline vi32 lesser_i32(vi32 a, vi32 b) {
  return (vi32)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
static inline vi32 greater_i32(vi32 a, vi32 b) {
  return (vi32)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

/* AVX2 has no 64-bit minimum. */
#define VEC_T u64
#include "order_tmpl.h"
#undef VEC_T
/* v in a register: gcc would load an operand in memory for each of its uses, of which each takes twice as
 * long where vectors cross lines of the cache. The other operand, an accumulator, is best left alone. */
static inline vi64 in_register(vi64 v) {
  __asm__("" : "+x"(v));
  return v;
}
static inline vi64 lesser_i64(vi64 a, vi64 b) {
  b = in_register(b);
  return (vi64)_mm256_blendv_epi8((__m256i)a, (__m256i)b, (__m256i)(a > b));
}
static inline vi64 greater_i64(vi64 a, vi64 b) {
  b = in_register(b);
  return (vi64)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)(a > b));
}

static inline vf32 lesser_f32(vf32 x, vf32 s) { return (vf32)_mm256_min_ps((__m256)x, (__m256)s); }
static inline vf64 lesser_f64(vf64 x, vf64 s) {
  return (vf64)_mm256_min_pd((__m256d)x, (__m256d)s);
}
static inline vf32 greater_f32(vf32 x, vf32 s) { return (vf32)_mm256_max_ps((__m256)x, (__m256)s); }
static inline vf64 greater_f64(vf64 x, vf64 s) {
  return (vf64)_mm256_max_pd((__m256d)x, (__m256d)s);
}
static inline vf64 product_error_f64(vf64 a, vf64 b, vf64 product) {
  return (vf64)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)product);
}
#define VEC_REGISTER "+x"
#include "least.h"
typedef vi64 vec_nans;
static inline vec_nans nans_f32(vec_nans nans, vf32 a, vf32 b) {
  return nans | (vi64)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
}
static inline vec_nans nans_f64(vec_nans nans, vf64 a, vf64 b) {
  return nans | (vi64)_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_UNORD_Q);
}
static inline bool nans_any(vec_nans nans) {
  return !_mm256_testz_si256((__m256i)nans, (__m256i)nans);
}
static inline u64 marks_i8(vi8 mask) { return (u32)_mm256_movemask_epi8((__m256i)mask); }
static inline u64 marks_i16(vi16 mask) {
  const __m128i low = _mm256_castsi256_si128((__m256i)mask);
  const __m128i high = _mm256_extracti128_si256((__m256i)mask, 1);
  return (u64)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}
static inline u64 marks_i32(vi32 mask) { return (u64)_mm256_movemask_ps((__m256)mask); }
static inline u64 marks_i64(vi64 mask) { return (u64)_mm256_movemask_pd((__m256d)mask); }

/* ---- histograms ---------------------------------------------------------------------------------- */

static inline vi32 hist_trunc_f32(vf32 t) { return (vi32)_mm256_cvttps_epi32((__m256)t); }
static inline vi64 hist_trunc_f64(vf64 t) {
  return (vi64)_mm256_cvtepi32_epi64(_mm256_cvttpd_epi32((__m256d)t));
}
static inline vf32 hist_gather_f32(const f32 *table, vi32 i) {
  return (vf32)_mm256_i32gather_ps(table, (__m256i)i, 4);
}
static inline vf64 hist_gather_f64(const f64 *table, vi64 i) {
  return (vf64)_mm256_i64gather_pd(table, (__m256i)i, 8);
}
static inline vi32 hist_gather_i32(const u32 *table, vi32 i) {
  return (vi32)_mm256_i32gather_epi32((const int *)table, (__m256i)i, 4);
}
static inline vi64 hist_gather_i64(const u32 *table, vi64 i) {
  return (vi64)_mm256_cvtepi32_epi64(_mm256_i64gather_epi32((const int *)table, (__m256i)i, 4));
}
static inline bool hist_any_i32(vi32 v) { return !_mm256_testz_si256((__m256i)v, (__m256i)v); }
static inline bool hist_any_i64(vi64 v) { return hist_any_i32((vi32)v); }

static inline bool hist_doubtful_i32(vi32 t, u32 margin, u32 keep, u32 limit) {
  /* Below 2^31 both, so a signed comparison does, with the sign bit apart. */
  vi32 near = (vi32)((((vu32)t + margin) & keep) == 0);
  vi32 out = (t > (i32)(limit - 1)) | (t < 0);
  return hist_any_i32(near | out);
}
static inline bool hist_doubtful_i64(vi64 t, u32 margin, u32 keep, u32 limit) {
  vi64 near = (vi64)((((vu64)t + margin) & (u64)keep) == 0);
  vi64 out = (t > (i64)limit - 1) | (t < 0);
  return hist_any_i64(near | out);
}
static inline bool hist_outside_f32(vf32 x, f32 first, f32 last) {
  return _mm256_movemask_ps((__m256)((x >= first) & (x <= last))) != 0xff;
}
static inline bool hist_outside_f64(vf64 x, f64 first, f64 last) {
  return _mm256_movemask_pd((__m256d)((x >= first) & (x <= last))) != 0xf;
}
static inline void hist_store_i32(u32 *out, vi32 v) {
  _mm256_storeu_si256((__m256i *)out, (__m256i)v);
}
static inline void hist_store_i64(u32 *out, vi64 v) {
  const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  __m256i packed = _mm256_permutevar8x32_epi32((__m256i)v, even);
  _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(packed));
}

/* Table lookups would save the loop; few lanes are marked. */
static inline size_t hist_pick_f32(u32 *at, f32 *x, vi32 marked, u32 from, vf32 v) {
  size_t n = 0;
  for (unsigned m = (unsigned)_mm256_movemask_ps((__m256)marked); m; m &= m - 1, n++) {
    unsigned k = (unsigned)__builtin_ctz(m);
    at[n] = from + k;
    x[n] = v[k];
  }
  return n;
}
static inline size_t hist_pick_f64(u32 *at, f64 *x, vi64 marked, u32 from, vf64 v) {
  size_t n = 0;
  for (unsigned m = (unsigned)_mm256_movemask_pd((__m256d)marked); m; m &= m - 1, n++) {
    unsigned k = (unsigned)__builtin_ctz(m);
    at[n] = from + k;
    x[n] = v[k];
  }
  return n;
}

static inline void hist_store_pairs(i64 *out, vi64 hi, vi64 lo) {
  _mm256_storeu_si256((__m256i *)out, _mm256_unpacklo_epi64((__m256i)hi, (__m256i)lo));
  _mm256_storeu_si256((__m256i *)(out + 4), _mm256_unpackhi_epi64((__m256i)hi, (__m256i)lo));
}
static inline void hist_add_pair(struct hd_accumulator *accumulator, const i64 *pair) {
  const __m256i one = _mm256_setr_epi64x(0, 0, 1, 0);
  __m256i x = _mm256_inserti128_si256(one, _mm_loadu_si128((const __m128i *)pair), 0);
  __m256i sum = _mm256_add_epi64(_mm256_loadu_si256((const __m256i *)accumulator), x);
  _mm256_storeu_si256((__m256i *)accumulator, sum);
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

/* ---- scans --------------------------------------------------------------------------------------- */

#define VEC_NONTEMPORAL
static inline void nontemporal_lines(char *line, const char *stage, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32)
    _mm256_stream_si256((__m256i *)(void *)(line + i),
                        _mm256_loadu_si256((const __m256i *)(const void *)(stage + i)));
}
static inline void nontemporal_fence(void) { _mm_sfence(); }
static inline void store_f32_f16(void *p, vf32 v) {
  _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
}
static inline vf32 canonical_f32(vf32 v) {
  __m256 is_nan = _mm256_cmp_ps((__m256)v, (__m256)v, _CMP_UNORD_Q);
  __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(HD_NAN_F32));
  return (vf32)_mm256_blendv_ps((__m256)v, nan, is_nan);
}
static inline vf64 canonical_f64(vf64 v) {
  __m256d is_nan = _mm256_cmp_pd((__m256d)v, (__m256d)v, _CMP_UNORD_Q);
  __m256d nan = _mm256_castsi256_pd(_mm256_set1_epi64x((i64)HD_NAN_F64));
  return (vf64)_mm256_blendv_pd((__m256d)v, nan, is_nan);
}

/* ---- sorts --------------------------------------------------------------------------------------- */

#include "avx2_split.h"

/* ---- order statistics ---------------------------------------------------------------------------- */

/* Lanes of v from `low` to low + width go to out[0], out[1] .., where a whole vector is written; how many. */
static inline size_t put_within_u32(u32 *out, vu32 v, u32 low, u32 width) {
  const vu32 sign = (vu32)_mm256_set1_epi32(INT32_MIN);
  const vi32 most = (vi32)_mm256_set1_epi32((int)(width ^ (u32)INT32_MIN));
  const u32 in = 255u & ~(u32)marks_i32((vi32)((v - low) ^ sign) > most);
  _mm256_storeu_si256((__m256i *)out, split_moved((__m256i)v, split_lanes_u32[in]));
  return (size_t)__builtin_popcount(in);
}
static inline size_t put_within_u64(u64 *out, vu64 v, u64 low, u64 width) {
  const vu64 sign = (vu64)_mm256_set1_epi64x(INT64_MIN);
  const vi64 most = (vi64)_mm256_set1_epi64x((i64)(width ^ (u64)INT64_MIN));
  const u32 in = 15u & ~(u32)marks_i64((vi64)((v - low) ^ sign) > most);
  _mm256_storeu_si256((__m256i *)out, split_moved((__m256i)v, split_lanes_u64[in]));
  return (size_t)__builtin_popcount(in);
}
/* Numbers of lanes that are up to `most`, counted from `from` on, go to out[0], out[1] .., where a vector of
 * u32 is written; how many. */
static inline size_t up_to_u32(u32 *out, vu32 v, u32 most, u32 from) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const vu32 sign = (vu32)_mm256_set1_epi32(INT32_MIN);
  const vi32 limit = (vi32)_mm256_set1_epi32((int)(most ^ (u32)INT32_MIN));
  const u32 in = 255u & ~(u32)marks_i32((vi32)(v ^ sign) > limit);
  const __m256i number = _mm256_add_epi32(lane, _mm256_set1_epi32((int)from));
  _mm256_storeu_si256((__m256i *)out, split_moved(number, split_lanes_u32[in]));
  return (size_t)__builtin_popcount(in);
}
static inline size_t up_to_u64(u32 *out, vu64 v, u64 most, u32 from) {
  size_t n = 0;
  for (u32 k = 0; k < LANES64; k++) {
    out[n] = from + k;
    n += v[k] <= most;
  }
  return n;
}
