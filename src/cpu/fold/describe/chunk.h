/* chunk.h - the moments of a full chunk of f64, as far as a figure asks for them (rule 9)
 *
 * Result    chunk_mean: n, mean and the counts; chunk_variance: m2 as well; chunk_describe: everything.
 *           What is left out is empty or 0, and nothing that is kept depends on it
 * Method    The columns' sum gives the mean, a second pass the powers of the deviations from it. No sum
 *           with an infinity or a NaN is finite, so only other chunks are looked at one by one */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_CHUNK_H
#define HEDDLE_CPU_FOLD_DESCRIBE_CHUNK_H

#include "order/moments.h"
#include "order/numbers.h"

enum {
  DESC_CHUNK = HD_CHUNK(sizeof(f64)),
  DESC_ROW = HD_LANES(sizeof(f64)),
  DESC_VECTORS = HD_ROW_BYTES / VEC_BYTES,
  DESC_AHEAD = 4096 /* bytes */
};

#define DESC_INLINE static inline __attribute__((always_inline))

/* Element of row r that begins vector v of a row. */
DESC_INLINE const char *chunk_at(const char *x, int r, int v) {
  return x + (size_t)(r * DESC_ROW + v * LANES64) * sizeof(f64);
}

/* Rule 2 for the squares of the deviations, and for their cubes if they are wanted. */
DESC_INLINE void chunk_powers(const char *x, bool skip, bool cubes, struct hd_moments *out) {
  enum { GROUP = 4 };
  vf64 two[DESC_VECTORS], three[DESC_VECTORS];
  for (int g = 0; g < DESC_VECTORS; g += GROUP) {
    vf64 a[GROUP], b[GROUP];
    for (int r = 0; r < HD_CHUNK_ROWS; r++)
      for (int v = 0; v < GROUP; v++) {
        const vf64 e = load_f64_f64(chunk_at(x, r, g + v));
        const vf64 away = e - out->mean, d = skip ? select_f64(e == e, away, (vf64){0}) : away;
        const vf64 d2 = d * d;
        a[v] = r ? a[v] + d2 : d2;
        if (cubes) b[v] = r ? b[v] + d2 * d : d2 * d;
      }
    for (int v = 0; v < GROUP; v++) {
      two[g + v] = a[v];
      if (cubes) three[g + v] = b[v];
    }
  }
  out->m2 = fold_columns_f64(two);
  if (cubes) out->m3 = fold_columns_f64(three);
}

/* Of n elements: NaN, infinities, and the extremes of what is no NaN. */
static __attribute__((noinline)) void count_each(const char *x, size_t n, struct hd_moments *out) {
  i64 least = INT64_MAX, most = INT64_MIN;
  u64 nan = 0, infinite = 0;
  for (size_t i = 0; i < n; i++) {
    const f64 e = one_f64_f64(x + i * sizeof(f64));
    const i64 key = hd_key_of_f64(e);
    nan += e != e;
    infinite += e == e && e - e != 0;
    least = e == e && key < least ? key : least;
    most = e == e && key > most ? key : most;
  }
  out->nan = nan, out->infinite = infinite;
  out->min_key = least, out->max_key = most;
}

/* The mean of a chunk whose sum overflows. */
static __attribute__((noinline)) f64 chunk_scaled_mean(const char *x, bool skip, f64 n) {
  vf64 sum[DESC_VECTORS];
  for (int v = 0; v < DESC_VECTORS; v++)
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      vf64 e = load_f64_f64(chunk_at(x, r, v)) * 0x1p-11;
      if (skip) e = keep_f64(e, -0.0);
      sum[v] = r ? sum[v] + e : e;
    }
  return hd_moments_scaled_mean(fold_columns_f64(sum), n);
}

/* The columns' sum, how many NaN are skipped, and if they are wanted the keys of the extremes. */
DESC_INLINE f64 chunk_sum(const char *x, bool skip, bool ends, struct hd_moments *out) {
  vf64 sum[DESC_VECTORS];
  vi64 least = (vi64){0} + INT64_MAX, most = (vi64){0} + INT64_MIN, nan = {0};
  for (int v = 0; v < DESC_VECTORS; v++)
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      const char *p = chunk_at(x, r, v);
      vf64 e = load_f64_f64(p);
      __builtin_prefetch(p + DESC_AHEAD);
      if (ends) {
        const vi64 bits = (vi64)e, key = bits ^ (vi64)((vu64)(bits >> 63) >> 1);
        least = lesser_i64(least, skip ? key_f64(e, INT64_MAX) : key);
        most = greater_i64(most, skip ? key_f64(e, INT64_MIN) : key);
      }
      if (skip) nan += e != e;
      if (skip) e = keep_f64(e, -0.0);
      sum[v] = r ? sum[v] + e : e;
    }
  out->min_key = INT64_MAX, out->max_key = INT64_MIN;
  out->nan = out->infinite = 0;
  for (int j = 0; j < LANES64; j++) {
    if (ends && least[j] < out->min_key) out->min_key = least[j];
    if (ends && most[j] > out->max_key) out->max_key = most[j];
    if (skip) out->nan -= (u64)nan[j];
  }
  return fold_columns_f64(sum);
}

DESC_INLINE void chunk_moments(const char *x, bool skip, bool squares, bool rest,
                               struct hd_moments *out) {
  const f64 sum = chunk_sum(x, skip, rest, out);
  if (!hd_is_finite(sum)) count_each(x, DESC_CHUNK, out);
  out->sum = rest ? sum : 0;
  out->n = (f64)DESC_CHUNK;
  if (skip) out->n -= (f64)out->nan;
  out->mean = out->m2 = out->m3 = 0;
  if (out->n == 0) return;
  out->mean = sum / out->n;
  if (!hd_is_finite(sum) && !out->infinite && (skip || !out->nan))
    out->mean = chunk_scaled_mean(x, skip, out->n);
  if (squares) chunk_powers(x, skip, rest, out);
}

/* A total from a chunk's 1,024 values. */
typedef void chunk_function(const char *x, bool skip, struct hd_moments *out);

static __attribute__((noinline)) void chunk_mean(const char *x, bool skip, struct hd_moments *out) {
  if (skip)
    chunk_moments(x, true, false, false, out);
  else
    chunk_moments(x, false, false, false, out);
}
static __attribute__((noinline)) void chunk_variance(const char *x, bool skip,
                                                     struct hd_moments *out) {
  if (skip)
    chunk_moments(x, true, true, false, out);
  else
    chunk_moments(x, false, true, false, out);
}
static __attribute__((noinline)) void chunk_describe(const char *x, bool skip,
                                                     struct hd_moments *out) {
  if (skip)
    chunk_moments(x, true, true, true, out);
  else
    chunk_moments(x, false, true, true, out);
}

#endif
