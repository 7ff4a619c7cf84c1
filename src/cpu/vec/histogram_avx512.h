/* histogram_avx512.h - the histogram's words for AVX-512; their meaning is in histogram_generic.h
 *
 * trunc leaves INT32_MIN for NaN and what does not fit, which is outside every range, too. */
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
static inline void hist_add_pair(struct hd_accumulator *cell, const i64 *pair) {
  const __m256i one = _mm256_setr_epi64x(0, 0, 1, 0);
  __m256i x = _mm256_inserti128_si256(one, _mm_loadu_si128((const __m128i *)pair), 0);
  __m256i sum = _mm256_add_epi64(_mm256_loadu_si256((const __m256i *)cell), x);
  _mm256_storeu_si256((__m256i *)cell, sum);
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
