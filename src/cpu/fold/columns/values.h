/* values.h - accumulators of floats as the values that they stand for, by vectors
 *
 * Each takes n of them, at least a vector; the last vector overlaps the one before. Sums and products are
 * made canonical (rule 12), keys become floats (rule 10; order/total.h has the same of one key). */
#include "cpu/isa/kernels.h"

#define VALUES_STEP(lane) (VEC_BYTES / sizeof(lane))
#define VALUES_AT(i, n, lane) ((i) + VALUES_STEP(lane) <= (n) ? (i) : (n)-VALUES_STEP(lane))

static void values_f32(const void *from, size_t n, void *to) {
  for (size_t i = 0; i < n; i += VALUES_STEP(f32)) {
    const size_t at = VALUES_AT(i, n, f32) * sizeof(f32);
    const vf32 v = keep_f32(load_f32_f32((const char *)from + at), hd_f32_of_bits(HD_NAN_F32));
    memcpy((char *)to + at, &v, sizeof v);
  }
}
static void values_f64(const void *from, size_t n, void *to) {
  for (size_t i = 0; i < n; i += VALUES_STEP(f64)) {
    const size_t at = VALUES_AT(i, n, f64) * sizeof(f64);
    const vf64 v = keep_f64(load_f64_f64((const char *)from + at), hd_f64_of_bits(HD_NAN_F64));
    memcpy((char *)to + at, &v, sizeof v);
  }
}
static void values_negated_f32(const void *from, size_t n, void *to) {
  for (size_t i = 0; i < n; i += VALUES_STEP(f32)) {
    const size_t at = VALUES_AT(i, n, f32) * sizeof(f32);
    const vf32 v = keep_f32(-load_f32_f32((const char *)from + at), hd_f32_of_bits(HD_NAN_F32));
    memcpy((char *)to + at, &v, sizeof v);
  }
}
static void values_negated_f64(const void *from, size_t n, void *to) {
  for (size_t i = 0; i < n; i += VALUES_STEP(f64)) {
    const size_t at = VALUES_AT(i, n, f64) * sizeof(f64);
    const vf64 v = keep_f64(-load_f64_f64((const char *)from + at), hd_f64_of_bits(HD_NAN_F64));
    memcpy((char *)to + at, &v, sizeof v);
  }
}

/* The keys of no value and of NaN become bits of NaN, which no number's does: they are looked for once. */
static inline void values_keys32(const void *from, size_t n, void *to, bool is_min) {
  const f32 none = hd_f32_of_bits(is_min ? 0x7f800000u : 0xff800000u);
  const i32 empty = is_min ? HD_I32_MAX : -1; /* the bits that no value's key becomes */
  vi32 others = {0};
  for (size_t i = 0; i < n; i += VALUES_STEP(i32)) {
    const size_t at = VALUES_AT(i, n, i32) * sizeof(i32);
    const vi32 key = load_i32_i32((const char *)from + at);
    const vf32 v = (vf32)(key ^ (vi32)((vu32)(key < 0) >> 1));
    others |= v != v;
    memcpy((char *)to + at, &v, sizeof v);
  }
  if (!hist_any_i64((vi64)others)) return;
  for (size_t i = 0; i < n; i += VALUES_STEP(i32)) {
    char *at = (char *)to + VALUES_AT(i, n, i32) * sizeof(i32);
    const vi32 bits = load_i32_i32(at);
    const vf32 number = keep_f32((vf32)bits, hd_f32_of_bits(HD_NAN_F32));
    const vf32 v = select_f32(bits == empty, none - (vf32){0}, number);
    memcpy(at, &v, sizeof v);
  }
}
static inline void values_keys64(const void *from, size_t n, void *to, bool is_min) {
  const f64 none = hd_f64_of_bits((u64)(is_min ? 0x7ff : 0xfff) << 52);
  const i64 empty = is_min ? HD_I64_MAX : -1; /* the bits that no value's key becomes */
  vi64 others = {0};
  for (size_t i = 0; i < n; i += VALUES_STEP(i64)) {
    const size_t at = VALUES_AT(i, n, i64) * sizeof(i64);
    const vi64 key = load_i64_i64((const char *)from + at);
    const vf64 v = (vf64)(key ^ (vi64)((vu64)(key < 0) >> 1));
    others |= v != v;
    memcpy((char *)to + at, &v, sizeof v);
  }
  if (!hist_any_i64((vi64)others)) return;
  for (size_t i = 0; i < n; i += VALUES_STEP(i64)) {
    char *at = (char *)to + VALUES_AT(i, n, i64) * sizeof(i64);
    const vi64 bits = load_i64_i64(at);
    const vf64 number = keep_f64((vf64)bits, hd_f64_of_bits(HD_NAN_F64));
    const vf64 v = select_f64(bits == empty, none - (vf64){0}, number);
    memcpy(at, &v, sizeof v);
  }
}
static void values_least_i32(const void *from, size_t n, void *to) {
  values_keys32(from, n, to, true);
}
static void values_greatest_i32(const void *from, size_t n, void *to) {
  values_keys32(from, n, to, false);
}
static void values_least_i64(const void *from, size_t n, void *to) {
  values_keys64(from, n, to, true);
}
static void values_greatest_i64(const void *from, size_t n, void *to) {
  values_keys64(from, n, to, false);
}

/* Keys as the lanes that minmax_float_tmpl.h has for them: values, of max the negated ones. */
static void lanes_least_i32(void *totals, size_t n) { values_keys32(totals, n, totals, true); }
static void lanes_least_i64(void *totals, size_t n) { values_keys64(totals, n, totals, true); }
static void lanes_greatest_i32(void *totals, size_t n) {
  values_keys32(totals, n, totals, false);
  for (size_t i = 0; i < n; i += VALUES_STEP(f32)) {
    const vf32 v = -load_f32_f32((const char *)totals + i * sizeof(f32));
    memcpy((char *)totals + i * sizeof(f32), &v, sizeof v);
  }
}
static void lanes_greatest_i64(void *totals, size_t n) {
  values_keys64(totals, n, totals, false);
  for (size_t i = 0; i < n; i += VALUES_STEP(f64)) {
    const vf64 v = -load_f64_f64((const char *)totals + i * sizeof(f64));
    memcpy((char *)totals + i * sizeof(f64), &v, sizeof v);
  }
}
#undef VALUES_STEP
#undef VALUES_AT
