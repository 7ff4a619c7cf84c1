/* avx512.h - AVX-512 F, BW, DQ, VL, CD: 64-byte vectors
 *
 * The wrappers for which this instruction set has intrinsics: loads that widen, least and greatest,
 * keys; then those of histograms and of scans. vec/histogram_generic.h and vec/scalar.h have
 * the meaning of the latter.
 * trunc gives INT32_MIN, which is outside every range, for NaN and for numbers that do not fit.
 */
#include <immintrin.h>

#define VEC_BYTES 64
#define VEC_ISA "avx512"
#include "order/exact/fixed_sum.h"
#include "types.h"

/* ---- loads that widen, and conversions to f64 ---------------------------------------------------- */

static inline vu32 load_u8_u32(const void *p) {
  return (vu32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vi32 load_i8_i32(const void *p) {
  return (vi32)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p));
}
static inline vu32 load_u16_u32(const void *p) {
  return (vu32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
}
static inline vi32 load_i16_i32(const void *p) {
  return (vi32)_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)p));
}
static inline vu64 load_u8_u64(const void *p) {
  return (vu64)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vi64 load_i8_i64(const void *p) {
  return (vi64)_mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i *)p));
}
static inline vu64 load_u16_u64(const void *p) {
  return (vu64)_mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vi64 load_i16_i64(const void *p) {
  return (vi64)_mm512_cvtepi16_epi64(_mm_loadu_si128((const __m128i *)p));
}
static inline vu64 load_u32_u64(const void *p) {
  return (vu64)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)p));
}
static inline vi64 load_i32_i64(const void *p) {
  return (vi64)_mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_u8_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_i8_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
static inline vf64 load_u16_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)));
}
static inline vf64 load_i16_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)p)));
}
static inline vf64 load_i32_f64(const void *p) {
  return (vf64)_mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_u32_f64(const void *p) {
  return (vf64)_mm512_cvtepu32_pd(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_u64_f64(const void *p) {
  return (vf64)_mm512_cvtepu64_pd(_mm512_loadu_si512(p));
}
static inline vf64 load_i64_f64(const void *p) {
  return (vf64)_mm512_cvtepi64_pd(_mm512_loadu_si512(p));
}
static inline vf64 load_f32_f64(const void *p) {
  return (vf64)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)p));
}
static inline vf64 load_bf16_f64(const void *p) {
  const __m256i upper =
      _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), 16);
  return (vf64)_mm512_cvtps_pd(_mm256_castsi256_ps(upper));
}

/* ---- the portable words, then the rest of its own ------------------------------------------------ */

#define VEC_HAS_WIDENING
#define VEC_HAS_BF16_F64
#define VEC_HAS_F16
#define VEC_HAS_ORDER
#define VEC_HAS_VALUES
#define VEC_HAS_KEYS
#define VEC_HAS_PRODUCT_ERROR
#include "vec.h"

static inline vf32 load_f16_f32(const void *p) {
  return (vf32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}
static inline vf64 load_f16_f64(const void *p) {
  return (vf64)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)));
}

static inline vu8 lesser_u8(vu8 a, vu8 b) { return (vu8)_mm512_min_epu8((__m512i)a, (__m512i)b); }
static inline vu8 greater_u8(vu8 a, vu8 b) { return (vu8)_mm512_max_epu8((__m512i)a, (__m512i)b); }
static inline vu16 lesser_u16(vu16 a, vu16 b) {
  return (vu16)_mm512_min_epu16((__m512i)a, (__m512i)b);
}
static inline vu16 greater_u16(vu16 a, vu16 b) {
  return (vu16)_mm512_max_epu16((__m512i)a, (__m512i)b);
}
static inline vu32 lesser_u32(vu32 a, vu32 b) {
  return (vu32)_mm512_min_epu32((__m512i)a, (__m512i)b);
}
static inline vu32 greater_u32(vu32 a, vu32 b) {
  return (vu32)_mm512_max_epu32((__m512i)a, (__m512i)b);
}
static inline vu64 lesser_u64(vu64 a, vu64 b) {
  return (vu64)_mm512_min_epu64((__m512i)a, (__m512i)b);
}
static inline vu64 greater_u64(vu64 a, vu64 b) {
  return (vu64)_mm512_max_epu64((__m512i)a, (__m512i)b);
}
static inline vi8 lesser_i8(vi8 a, vi8 b) { return (vi8)_mm512_min_epi8((__m512i)a, (__m512i)b); }
static inline vi8 greater_i8(vi8 a, vi8 b) { return (vi8)_mm512_max_epi8((__m512i)a, (__m512i)b); }
static inline vi16 lesser_i16(vi16 a, vi16 b) {
  return (vi16)_mm512_min_epi16((__m512i)a, (__m512i)b);
}
static inline vi16 greater_i16(vi16 a, vi16 b) {
  return (vi16)_mm512_max_epi16((__m512i)a, (__m512i)b);
}
static inline vi32 lesser_i32(vi32 a, vi32 b) {
  return (vi32)_mm512_min_epi32((__m512i)a, (__m512i)b);
}
static inline vi32 greater_i32(vi32 a, vi32 b) {
  return (vi32)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
static inline vi64 lesser_i64(vi64 a, vi64 b) {
  return (vi64)_mm512_min_epi64((__m512i)a, (__m512i)b);
}
static inline vi64 greater_i64(vi64 a, vi64 b) {
  return (vi64)_mm512_max_epi64((__m512i)a, (__m512i)b);
}

static inline vf32 lesser_f32(vf32 x, vf32 s) { return (vf32)_mm512_min_ps((__m512)x, (__m512)s); }
static inline vf64 lesser_f64(vf64 x, vf64 s) {
  return (vf64)_mm512_min_pd((__m512d)x, (__m512d)s);
}
static inline vf32 greater_f32(vf32 x, vf32 s) { return (vf32)_mm512_max_ps((__m512)x, (__m512)s); }
static inline vf64 greater_f64(vf64 x, vf64 s) {
  return (vf64)_mm512_max_pd((__m512d)x, (__m512d)s);
}
static inline vf64 product_error_f64(vf64 a, vf64 b, vf64 product) {
  return (vf64)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)product);
}
#define VEC_REGISTER "+v"
#include "least.h"
typedef u32 vec_nans;
static inline vec_nans nans_f32(vec_nans nans, vf32 a, vf32 b) {
  return nans | _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_UNORD_Q);
}
static inline vec_nans nans_f64(vec_nans nans, vf64 a, vf64 b) {
  return nans | _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_UNORD_Q);
}
static inline bool nans_any(vec_nans nans) { return nans != 0; }
static inline u64 marks_i8(vi8 mask) { return _mm512_movepi8_mask((__m512i)mask); }
static inline u64 marks_i16(vi16 mask) { return _mm512_movepi16_mask((__m512i)mask); }
static inline u64 marks_i32(vi32 mask) { return _mm512_movepi32_mask((__m512i)mask); }
static inline u64 marks_i64(vi64 mask) { return _mm512_movepi64_mask((__m512i)mask); }

static inline vi32 key_f32(vf32 x, i32 nan) {
  vi32 bits = (vi32)x, key = bits ^ (vi32)((vu32)(bits >> 31) >> 1);
  __mmask16 is_nan = _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);
  return (vi32)_mm512_mask_mov_epi32((__m512i)key, is_nan, _mm512_set1_epi32(nan));
}
static inline vi64 key_f64(vf64 x, i64 nan) {
  vi64 bits = (vi64)x, key = bits ^ (vi64)((vu64)(bits >> 63) >> 1);
  __mmask8 is_nan = _mm512_cmp_pd_mask((__m512d)x, (__m512d)x, _CMP_UNORD_Q);
  return (vi64)_mm512_mask_mov_epi64((__m512i)key, is_nan, _mm512_set1_epi64(nan));
}

/* ---- histograms ---------------------------------------------------------------------------------- */

static inline vi32 hist_trunc_f32(vf32 t) { return (vi32)_mm512_cvttps_epi32((__m512)t); }
static inline vi64 hist_trunc_f64(vf64 t) {
  return (vi64)_mm512_cvtepi32_epi64(_mm512_cvttpd_epi32((__m512d)t));
}
static inline vf32 hist_gather_f32(const f32 *table, vi32 i) {
  return (vf32)_mm512_i32gather_ps((__m512i)i, table, 4);
}
static inline vf64 hist_gather_f64(const f64 *table, vi64 i) {
  return (vf64)_mm512_i64gather_pd((__m512i)i, table, 8);
}
static inline vi32 hist_gather_i32(const u32 *table, vi32 i) {
  return (vi32)_mm512_i32gather_epi32((__m512i)i, table, 4);
}
static inline vi64 hist_gather_i64(const u32 *table, vi64 i) {
  return (vi64)_mm512_cvtepi32_epi64(_mm512_i64gather_epi32((__m512i)i, table, 4));
}
static inline bool hist_any_i32(vi32 v) {
  return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
}
static inline bool hist_any_i64(vi64 v) { return hist_any_i32((vi32)v); }

static inline bool hist_doubtful_i32(vi32 t, u32 margin, u32 keep, u32 limit) {
  __m512i moved = _mm512_add_epi32((__m512i)t, _mm512_set1_epi32((int)margin));
  __mmask16 near = _mm512_testn_epi32_mask(moved, _mm512_set1_epi32((int)keep));
  __mmask16 out = _mm512_cmpge_epu32_mask((__m512i)t, _mm512_set1_epi32((int)limit));
  return !_kortestz_mask16_u8(near, out);
}
static inline bool hist_doubtful_i64(vi64 t, u32 margin, u32 keep, u32 limit) {
  __m512i moved = _mm512_add_epi64((__m512i)t, _mm512_set1_epi64((long long)margin));
  __mmask8 near = _mm512_testn_epi64_mask(moved, _mm512_set1_epi64((long long)keep));
  __mmask8 out = _mm512_cmpge_epu64_mask((__m512i)t, _mm512_set1_epi64((long long)limit));
  return !_kortestz_mask8_u8(near, out);
}
static inline bool hist_outside_f32(vf32 x, f32 first, f32 last) {
  __mmask16 in = _mm512_cmp_ps_mask((__m512)x, _mm512_set1_ps(first), _CMP_GE_OQ);
  in = _mm512_mask_cmp_ps_mask(in, (__m512)x, _mm512_set1_ps(last), _CMP_LE_OQ);
  return in != 0xffff;
}
static inline bool hist_outside_f64(vf64 x, f64 first, f64 last) {
  __mmask8 in = _mm512_cmp_pd_mask((__m512d)x, _mm512_set1_pd(first), _CMP_GE_OQ);
  in = _mm512_mask_cmp_pd_mask(in, (__m512d)x, _mm512_set1_pd(last), _CMP_LE_OQ);
  return in != 0xff;
}
static inline void hist_store_i32(u32 *out, vi32 v) { _mm512_storeu_si512(out, (__m512i)v); }
static inline void hist_store_i64(u32 *out, vi64 v) {
  _mm256_storeu_si256((__m256i *)out, _mm512_cvtepi64_epi32((__m512i)v));
}

static inline size_t hist_pick_f32(u32 *at, f32 *x, vi32 marked, u32 from, vf32 v) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __mmask16 m = _mm512_movepi32_mask((__m512i)marked);
  __m512i number = _mm512_add_epi32(lane, _mm512_set1_epi32((int)from));
  _mm512_storeu_si512(at, _mm512_maskz_compress_epi32(m, number));
  _mm512_storeu_ps(x, _mm512_maskz_compress_ps(m, (__m512)v));
  return (size_t)__builtin_popcount(m);
}
static inline size_t hist_pick_f64(u32 *at, f64 *x, vi64 marked, u32 from, vf64 v) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __mmask8 m = _mm512_movepi64_mask((__m512i)marked);
  __m256i number = _mm256_add_epi32(lane, _mm256_set1_epi32((int)from));
  _mm256_storeu_si256((__m256i *)at, _mm256_maskz_compress_epi32(m, number));
  _mm512_storeu_pd(x, _mm512_maskz_compress_pd(m, (__m512d)v));
  return (size_t)__builtin_popcount(m);
}

static inline void hist_store_pairs(i64 *out, vi64 hi, vi64 lo) {
  _mm512_storeu_si512(out, _mm512_unpacklo_epi64((__m512i)hi, (__m512i)lo));
  _mm512_storeu_si512(out + 8, _mm512_unpackhi_epi64((__m512i)hi, (__m512i)lo));
}
static inline void hist_add_pair(struct hd_accumulator *accumulator, const i64 *pair) {
  const __m256i one = _mm256_setr_epi64x(0, 0, 1, 0);
  __m256i x = _mm256_inserti128_si256(one, _mm_loadu_si128((const __m128i *)pair), 0);
  __m256i sum = _mm256_add_epi64(_mm256_loadu_si256((const __m256i *)accumulator), x);
  _mm256_storeu_si256((__m256i *)accumulator, sum);
}

/* Writing whole vectors is safe: what is kept never passes what was read. */
static inline size_t hist_drop(u32 *index, size_t n, u32 value) {
  size_t left = 0, i = 0;
  for (; i + 16 <= n; i += 16) {
    __m512i v = _mm512_loadu_si512(index + i);
    __mmask16 kept = _mm512_cmpneq_epi32_mask(v, _mm512_set1_epi32((int)value));
    _mm512_storeu_si512(index + left, _mm512_maskz_compress_epi32(kept, v));
    left += (size_t)__builtin_popcount(kept);
  }
  for (; i < n; i++) {
    u32 v = index[i];
    index[left] = v;
    left += v != value;
  }
  return left;
}

/* ---- scans --------------------------------------------------------------------------------------- */

#define VEC_NONTEMPORAL
static inline void nontemporal_lines(char *line, const char *stage, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 64)
    _mm512_stream_si512((__m512i *)(void *)(line + i),
                        _mm512_loadu_si512((const void *)(stage + i)));
}
static inline void nontemporal_fence(void) { _mm_sfence(); }
static inline void store_f32_f16(void *p, vf32 v) {
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT));
}

/* NaN made canonical in one instruction: every class of number is taken from v (1), both classes
 * of NaN from the constant (0). */
static inline vf32 canonical_f32(vf32 v) {
  return (vf32)_mm512_fixupimm_ps(_mm512_castsi512_ps(_mm512_set1_epi32(HD_NAN_F32)), (__m512)v,
                                  _mm512_set1_epi32(0x11111100), 0);
}
static inline vf64 canonical_f64(vf64 v) {
  return (vf64)_mm512_fixupimm_pd(_mm512_castsi512_pd(_mm512_set1_epi64((i64)HD_NAN_F64)),
                                  (__m512d)v, _mm512_set1_epi64(0x11111100), 0);
}

/* ---- sorts --------------------------------------------------------------------------------------- */

/* Lanes of v below `pivot` go to low[0], low[1] .., the others to high[0] .., with a whole vector written at
 * each; how many were below. */
#define VEC_HAS_SPLIT
static inline size_t split_u32(u32 *low, u32 *high, vu32 v, u32 pivot) {
  const __mmask16 below = _mm512_cmplt_epu32_mask((__m512i)v, _mm512_set1_epi32((int)pivot));
  _mm512_storeu_si512(low, _mm512_maskz_compress_epi32(below, (__m512i)v));
  _mm512_storeu_si512(high, _mm512_maskz_compress_epi32((__mmask16)~below, (__m512i)v));
  return (size_t)__builtin_popcount(below);
}
static inline size_t split_u64(u64 *low, u64 *high, vu64 v, u64 pivot) {
  const __mmask8 below = _mm512_cmplt_epu64_mask((__m512i)v, _mm512_set1_epi64((long long)pivot));
  _mm512_storeu_si512(low, _mm512_maskz_compress_epi64(below, (__m512i)v));
  _mm512_storeu_si512(high, _mm512_maskz_compress_epi64((__mmask8)~below, (__m512i)v));
  return (size_t)__builtin_popcount(below);
}
/* The same of n < a vector's lanes at x, with as many lanes written as there are. */
static inline size_t split_rest_u32(u32 *low, u32 *high, const u32 *x, size_t n, u32 pivot) {
  const __mmask16 all = (__mmask16)((1u << n) - 1);
  const __m512i v = _mm512_maskz_loadu_epi32(all, x);
  const __mmask16 below = _mm512_mask_cmplt_epu32_mask(all, v, _mm512_set1_epi32((int)pivot));
  const u32 count = (u32)__builtin_popcount(below), rest = (u32)n - count;
  _mm512_mask_storeu_epi32(low, (__mmask16)((1u << count) - 1),
                           _mm512_maskz_compress_epi32(below, v));
  _mm512_mask_storeu_epi32(high, (__mmask16)((1u << rest) - 1),
                           _mm512_maskz_compress_epi32((__mmask16)(all ^ below), v));
  return count;
}
static inline size_t split_rest_u64(u64 *low, u64 *high, const u64 *x, size_t n, u64 pivot) {
  const __mmask8 all = (__mmask8)((1u << n) - 1);
  const __m512i v = _mm512_maskz_loadu_epi64(all, x);
  const __mmask8 below = _mm512_mask_cmplt_epu64_mask(all, v, _mm512_set1_epi64((long long)pivot));
  const u32 count = (u32)__builtin_popcount(below), rest = (u32)n - count;
  _mm512_mask_storeu_epi64(low, (__mmask8)((1u << count) - 1),
                           _mm512_maskz_compress_epi64(below, v));
  _mm512_mask_storeu_epi64(high, (__mmask8)((1u << rest) - 1),
                           _mm512_maskz_compress_epi64((__mmask8)(all ^ below), v));
  return count;
}

/* The first n < a vector's lanes at x, and all bits in the others; and back. */
#define VEC_HAS_SOME
static inline vu32 load_some_u32(const u32 *x, size_t n) {
  return (vu32)_mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), (__mmask16)((1u << n) - 1), x);
}
static inline vu64 load_some_u64(const u64 *x, size_t n) {
  return (vu64)_mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), (__mmask8)((1u << n) - 1), x);
}
static inline void store_some_u32(u32 *x, size_t n, vu32 v) {
  _mm512_mask_storeu_epi32(x, (__mmask16)((1u << n) - 1), (__m512i)v);
}
static inline void store_some_u64(u64 *x, size_t n, vu64 v) {
  _mm512_mask_storeu_epi64(x, (__mmask8)((1u << n) - 1), (__m512i)v);
}

/* ---- order statistics ---------------------------------------------------------------------------- */

/* Lanes of v from `low` to low + width go to out[0], out[1] .., where a whole vector is written; how many. */
static inline size_t put_within_u32(u32 *out, vu32 v, u32 low, u32 width) {
  const __m512i above = _mm512_sub_epi32((__m512i)v, _mm512_set1_epi32((int)low));
  const __mmask16 in = _mm512_cmple_epu32_mask(above, _mm512_set1_epi32((int)width));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(in, (__m512i)v));
  return (size_t)__builtin_popcount(in);
}
static inline size_t put_within_u64(u64 *out, vu64 v, u64 low, u64 width) {
  const __m512i above = _mm512_sub_epi64((__m512i)v, _mm512_set1_epi64((long long)low));
  const __mmask8 in = _mm512_cmple_epu64_mask(above, _mm512_set1_epi64((long long)width));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(in, (__m512i)v));
  return (size_t)__builtin_popcount(in);
}
/* Numbers of lanes that are up to `most`, counted from `from` on, go to out[0], out[1] .., where a vector of
 * u32 is written; how many. */
static inline size_t up_to_u32(u32 *out, vu32 v, u32 most, u32 from) {
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __mmask16 in = _mm512_cmple_epu32_mask((__m512i)v, _mm512_set1_epi32((int)most));
  const __m512i number = _mm512_add_epi32(lane, _mm512_set1_epi32((int)from));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(in, number));
  return (size_t)__builtin_popcount(in);
}
static inline size_t up_to_u64(u32 *out, vu64 v, u64 most, u32 from) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __mmask8 in = _mm512_cmple_epu64_mask((__m512i)v, _mm512_set1_epi64((long long)most));
  const __m256i number = _mm256_add_epi32(lane, _mm256_set1_epi32((int)from));
  _mm256_storeu_si256((__m256i *)out, _mm256_maskz_compress_epi32(in, number));
  return (size_t)__builtin_popcount(in);
}
