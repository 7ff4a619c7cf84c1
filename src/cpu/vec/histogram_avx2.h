/* histogram_avx2.h - the histogram's words for AVX2; their meaning is in histogram_generic.h
 *
 * trunc leaves INT32_MIN for NaN and what does not fit, which is outside every range, too. */
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
static inline void hist_add_pair(struct hd_accumulator *cell, const i64 *pair) {
  const __m256i one = _mm256_setr_epi64x(0, 0, 1, 0);
  __m256i x = _mm256_inserti128_si256(one, _mm_loadu_si128((const __m128i *)pair), 0);
  __m256i sum = _mm256_add_epi64(_mm256_loadu_si256((const __m256i *)cell), x);
  _mm256_storeu_si256((__m256i *)cell, sum);
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
