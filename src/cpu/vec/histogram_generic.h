/* histogram_generic.h - the histogram's words by the compiler's own vectors, for any VEC_BYTES
 *
 * trunc gives -1 below 0 and for NaN, 1.5 * 2^30 above that; in between it truncates.
 * doubtful: is any lane of t outside [0, limit), or within margin of a multiple of ~keep + 1?
 * outside: is any lane not within [first, last]?
 * store_pairs: hi and lo of every lane beside each other, even lanes first, then odd ones.
 * add_pair: of one lane to a accumulator, and 1 to its count. */
#include "order/exact/fixed_sum.h"

#define HIST_LANES(v) ((int)(sizeof(v) / sizeof((v)[0])))

static inline vi32 hist_trunc_f32(vf32 t) {
  vf32 low = (vf32){0} - 1, high = (vf32){0} + 0x1.8p30f;
  t = select_f32(t >= 0, t, low);
  return __builtin_convertvector(select_f32(t <= high, t, high), vi32);
}
static inline vi64 hist_trunc_f64(vf64 t) {
  vf64 low = (vf64){0} - 1, high = (vf64){0} + 0x1.8p30;
  t = select_f64(t >= 0, t, low);
  return __builtin_convertvector(select_f64(t <= high, t, high), vi64);
}

static inline vf32 hist_gather_f32(const f32 *table, vi32 i) {
  vf32 v = {0};
  for (int k = 0; k < HIST_LANES(v); k++) v[k] = table[i[k]];
  return v;
}
static inline vf64 hist_gather_f64(const f64 *table, vi64 i) {
  vf64 v = {0};
  for (int k = 0; k < HIST_LANES(v); k++) v[k] = table[i[k]];
  return v;
}
static inline vi32 hist_gather_i32(const u32 *table, vi32 i) {
  vi32 v = {0};
  for (int k = 0; k < HIST_LANES(v); k++) v[k] = (i32)table[i[k]];
  return v;
}
static inline vi64 hist_gather_i64(const u32 *table, vi64 i) {
  vi64 v = {0};
  for (int k = 0; k < HIST_LANES(v); k++) v[k] = (i32)table[i[k]];
  return v;
}

static inline bool hist_any_i64(vi64 v) {
  i64 any = 0;
  for (int k = 0; k < HIST_LANES(v); k++) any |= v[k];
  return any != 0;
}
static inline bool hist_any_i32(vi32 v) { return hist_any_i64((vi64)v); }

static inline bool hist_doubtful_i32(vi32 t, u32 margin, u32 keep, u32 limit) {
  vu32 u = (vu32)t;
  return hist_any_i32((vi32)(((u + margin) & keep) == 0) | (vi32)(u >= limit));
}
static inline bool hist_doubtful_i64(vi64 t, u32 margin, u32 keep, u32 limit) {
  vu64 u = (vu64)t;
  return hist_any_i64((vi64)(((u + margin) & (u64)keep) == 0) | (vi64)(u >= (u64)limit));
}
static inline bool hist_outside_f32(vf32 x, f32 first, f32 last) {
  return hist_any_i32(~((x >= first) & (x <= last)));
}
static inline bool hist_outside_f64(vf64 x, f64 first, f64 last) {
  return hist_any_i64(~((x >= first) & (x <= last)));
}

static inline void hist_store_i32(u32 *out, vi32 v) { memcpy(out, &v, sizeof v); }
static inline void hist_store_i64(u32 *out, vi64 v) {
  typedef i32 half __attribute__((vector_size(VEC_BYTES / 2)));
  half h = __builtin_convertvector(v, half);
  memcpy(out, &h, sizeof h);
}

/* The lanes whose top bit is set: their numbers from `from` on to at, their x to x. How many. */
static inline size_t hist_pick_f32(u32 *at, f32 *x, vi32 marked, u32 from, vf32 v) {
  size_t n = 0;
  if (!hist_any_i32(marked < 0)) return 0;
  for (u32 k = 0; k < (u32)HIST_LANES(v); k++) {
    at[n] = from + k;
    x[n] = v[k];
    n += marked[k] < 0;
  }
  return n;
}
static inline size_t hist_pick_f64(u32 *at, f64 *x, vi64 marked, u32 from, vf64 v) {
  size_t n = 0;
  if (!hist_any_i64(marked < 0)) return 0;
  for (u32 k = 0; k < (u32)HIST_LANES(v); k++) {
    at[n] = from + k;
    x[n] = v[k];
    n += marked[k] < 0;
  }
  return n;
}

static inline void hist_store_pairs(i64 *out, vi64 hi, vi64 lo) {
  const int lanes = HIST_LANES(hi);
  for (int k = 0; k < lanes; k++) {
    out[k / 2 * 2 + k % 2 * lanes] = hi[k];
    out[k / 2 * 2 + k % 2 * lanes + 1] = lo[k];
  }
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
