/* chunk.h - the moments of a full chunk of f64, as far as a figure asks for them (rule 9)
 *
 * Result    chunk_sum and chunk_center: n, mean and the counts; chunk_powers: m2, and m3 and the sum if all
 *           are wanted. What is left out is empty or 0, and nothing that is kept depends on it. Extremes
 *           are ends_tmpl.h's
 * Method    The columns' sum gives the mean, a second pass the powers of the deviations from it. No sum
 *           with an infinity or a NaN is finite, so only other chunks are looked at one by one. What
 *           comes next in memory is fetched by the rows of both passes, evenly */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_CHUNK_H
#define HEDDLE_CPU_FOLD_DESCRIBE_CHUNK_H

#include "order/moments.h"
#include "order/numbers.h"

enum {
  DESC_CHUNK = HD_CHUNK(sizeof(f64)),
  DESC_ROW = HD_LANES(sizeof(f64)),
  DESC_VECTORS = HD_ROW_BYTES / VEC_BYTES,
  DESC_GROUP = DESC_VECTORS < 8 ? DESC_VECTORS : 8, /* columns of a sum that stay in registers */
#ifndef DESC_AHEAD
  DESC_AHEAD =
      3 << 10 /* bytes: less comes too late, and a multiple of a page is in the way of its own */
#endif
};

#define DESC_INLINE static inline __attribute__((always_inline))

/* Element of row r that begins vector v of a row. */
DESC_INLINE const char *chunk_at(const char *x, int r, int v) {
  return x + (size_t)(r * DESC_ROW + v * LANES64) * sizeof(f64);
}

/* What comes next in memory: `lines` of 64 bytes are fetched with each row. */
struct chunk_ahead {
  const char *from;
  size_t lines;
};

DESC_INLINE void chunk_fetch(struct chunk_ahead *ahead) {
  for (size_t k = 0; k < ahead->lines; k++, ahead->from += 64) __builtin_prefetch(ahead->from);
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

/* ---- the mean ------------------------------------------------------------------------------------- */

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

/* How many NaN the lanes have counted down. */
DESC_INLINE u64 chunk_nans(vi64 nan) {
  u64 all = 0;
  for (int j = 0; j < LANES64; j++) all -= (u64)nan[j];
  return all;
}

/* n, mean and sum of a chunk from its sum; of `nan` that are skipped. */
DESC_INLINE void chunk_center(const char *x, f64 sum, u64 nan, bool skip, bool rest,
                              struct hd_moments *out) {
  hd_moments_empty(out);
  out->nan = nan;
  if (__builtin_expect(!hd_is_finite(sum), 0)) count_each(x, DESC_CHUNK, out);
  out->sum = rest ? sum : 0;
  out->n = (f64)DESC_CHUNK - (skip ? (f64)out->nan : 0);
  if (out->n == 0) return;
  out->mean = sum / out->n;
  if (__builtin_expect(!hd_is_finite(sum), 0) && !out->infinite && (skip || !out->nan))
    out->mean = chunk_scaled_mean(x, skip, out->n);
}

/* ---- powers --------------------------------------------------------------------------------------- */

/* Rule 2 for the squares of the deviations, and for their cubes if they are wanted. */
DESC_INLINE void powers_of(const char *x, bool skip, bool cubes, struct chunk_ahead ahead,
                           struct hd_moments *out) {
  enum { GROUP = 4 };
  vf64 two[DESC_VECTORS], three[DESC_VECTORS];
  const vf64 mean = (vf64){0} + out->mean;
  for (int g = 0; g < DESC_VECTORS; g += GROUP) {
    vf64 a[GROUP], b[GROUP];
    for (int v = 0; v < GROUP; v++) a[v] = b[v] = -(vf64){0};
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      if (!g) chunk_fetch(&ahead);
      for (int v = 0; v < GROUP; v++) {
        const vf64 e = load_f64_f64(chunk_at(x, r, g + v)), away = e - mean;
        const vf64 d = skip ? select_f64(e == e, away, (vf64){0}) : away, d2 = d * d;
        a[v] += d2;
        if (cubes) b[v] += d2 * d;
      }
    }
    for (int v = 0; v < GROUP; v++) {
      two[g + v] = a[v];
      if (cubes) three[g + v] = b[v];
    }
  }
  out->m2 = fold_columns_f64(two);
  if (cubes) out->m3 = fold_columns_f64(three);
}

static __attribute__((noinline)) void chunk_powers(const char *x, bool skip, bool cubes,
                                                   struct chunk_ahead ahead,
                                                   struct hd_moments *out) {
  if (out->n == 0) return;
  if (skip)
    cubes ? powers_of(x, true, true, ahead, out) : powers_of(x, true, false, ahead, out);
  else
    cubes ? powers_of(x, false, true, ahead, out) : powers_of(x, false, false, ahead, out);
}

/* All of that, of a chunk whose sum is not finite, as far as it counts. */
static __attribute__((noinline)) void chunk_moments(const char *x, bool skip, bool squares,
                                                    bool rest, struct hd_moments *out) {
  const struct chunk_ahead none = {x, 0};
  vf64 sum[DESC_VECTORS];
  vi64 nan = {0};
  for (int v = 0; v < DESC_VECTORS; v++) {
    sum[v] = -(vf64){0};
    for (int r = 0; r < HD_CHUNK_ROWS; r++) {
      const vf64 e = load_f64_f64(chunk_at(x, r, v));
      nan += e != e;
      sum[v] += skip ? keep_f64(e, -0.0) : e;
    }
  }
  chunk_center(x, fold_columns_f64(sum), skip ? chunk_nans(nan) : 0, skip, rest, out);
  if (squares) chunk_powers(x, skip, rest, none, out);
}

#endif
