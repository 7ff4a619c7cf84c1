/* convert.c - elements of any type to any other, rounded once
 *
 * Method   Every integer is an exact u64 or i64, every float an exact f64; the one rounding is in
 *          the store. An integer beyond 2^53 on its way to a 16-bit float goes through f64 rounded
 *          to odd, which makes the second rounding as good as a single one. */
#include "convert.h"

#include <string.h>

#include "float_bits.h"

struct wide {
  enum { WIDE_U64, WIDE_I64, WIDE_F64 } kind;
  u64 u; /* WIDE_I64: its bits */
  f64 f;
};

static u64 load_bits(const void *in, size_t bytes) {
  u8 one;
  u16 two;
  u32 four;
  u64 eight;
  switch (bytes) {
  case 1: return memcpy(&one, in, sizeof one), one;
  case 2: return memcpy(&two, in, sizeof two), two;
  case 4: return memcpy(&four, in, sizeof four), four;
  default: return memcpy(&eight, in, sizeof eight), eight;
  }
}

static struct wide load(heddle_type type, const void *in) {
  struct wide w = {WIDE_U64, 0, 0};
  if (hd_is_integer(type)) {
    size_t bytes = heddle_type_size(type);
    w.u = load_bits(in, bytes);
    if (!hd_is_signed(type)) return w;
    unsigned unused = 64 - 8 * (unsigned)bytes;
    w.kind = WIDE_I64;
    w.u = (u64)((i64)(w.u << unused) >> unused);
    return w;
  }
  w.kind = WIDE_F64;
  u16 half;
  f32 single;
  if (type == HEDDLE_F64) {
    memcpy(&w.f, in, sizeof w.f);
  } else if (type == HEDDLE_F32) {
    memcpy(&single, in, sizeof single);
    w.f = single;
  } else {
    memcpy(&half, in, sizeof half);
    w.f = type == HEDDLE_F16 ? hd_f32_from_f16(half) : hd_f32_from_bf16(half);
  }
  return w;
}

static f64 wide_to_f64_odd(const struct wide *w) {
  if (w->kind == WIDE_F64) return w->f;
  bool negative = w->kind == WIDE_I64 && (i64)w->u < 0;
  f64 f = hd_round_to_odd(negative ? 0 - w->u : w->u);
  return negative ? -f : f;
}

static f64 wide_to_f64(const struct wide *w) {
  if (w->kind == WIDE_F64) return hd_canonical_f64(w->f);
  return w->kind == WIDE_I64 ? (f64)(i64)w->u : (f64)w->u;
}

static f32 wide_to_f32(const struct wide *w) {
  if (w->kind == WIDE_F64) return hd_canonical_f32((f32)w->f);
  return w->kind == WIDE_I64 ? (f32)(i64)w->u : (f32)w->u;
}

/* Truncates towards zero and saturates at the ends of a `bits`-bit integer; NaN gives 0. */
static u64 float_to_integer(f64 f, int bits, bool is_signed) {
  if (f != f) return 0;
  f64 top = (f64)(UINT64_C(1) << (bits - 1)) * (is_signed ? 1.0 : 2.0);
  u64 most = is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
  if (f >= top) return most;
  if (!is_signed) return f <= 0 ? 0 : (u64)f;
  return f <= -top ? 0 - (UINT64_C(1) << (bits - 1)) : (u64)(i64)f;
}

static void store_integer(const struct wide *w, heddle_type to, void *out) {
  int bytes = (int)heddle_type_size(to);
  u64 u = w->kind == WIDE_F64 ? float_to_integer(w->f, 8 * bytes, hd_is_signed(to)) : w->u;
  u8 u1 = (u8)u;
  u16 u2 = (u16)u;
  u32 u4 = (u32)u;
  const void *narrow = bytes == 1 ? (void *)&u1 : bytes == 2 ? (void *)&u2 : (void *)&u4;
  memcpy(out, bytes == 8 ? (void *)&u : narrow, (size_t)bytes);
}

static void store(const struct wide *w, heddle_type to, void *out) {
  if (to == HEDDLE_F64) {
    f64 f = wide_to_f64(w);
    memcpy(out, &f, sizeof f);
  } else if (to == HEDDLE_F32) {
    f32 f = wide_to_f32(w);
    memcpy(out, &f, sizeof f);
  } else if (hd_is_float(to)) {
    f64 f = wide_to_f64_odd(w);
    u16 half = to == HEDDLE_F16 ? hd_f16_from_f64(f) : hd_bf16_from_f64(f);
    memcpy(out, &half, sizeof half);
  } else {
    store_integer(w, to, out);
  }
}

void hd_convert_one(heddle_type from, const void *in, heddle_type to, void *out) {
  struct wide w = load(from, in);
  store(&w, to, out);
}
