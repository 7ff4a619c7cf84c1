/* convert.c - heddle_convert: the checks, then one element after the other; f64 to f32 in blocks, which
 * compilers make vectors of, and to f16 without branches that hang on the elements */
#include "order/convert.h"

#include <string.h>

#include "api.h"
#include "host/context.h"
#include "host/status.h"
#include "overlap.h"

enum { BLOCK = 64 };

/* How many elements that has done. A block is read before it is written: out may be in. */
static size_t f64_to_f32(const char *in, char *out, size_t count) {
  f32 r[BLOCK];
  size_t i = 0;
  for (; i + BLOCK <= count; i += BLOCK) {
    for (size_t k = 0; k < BLOCK; k++) {
      f64 v;
      memcpy(&v, in + (i + k) * sizeof v, sizeof v);
      r[k] = hd_canonical_f32((f32)v);
    }
    memcpy(out + i * sizeof *r, r, sizeof r);
  }
  return i;
}

/* hd_f16_from_f64, both of whose ranges are computed. Integers round what is normal: a carry moves on into the
 * exponent. The sum with 2^28, whose last bit is the least subnormal of f16, rounds what is not. */
static inline f16 narrow_f16(f64 x) {
  enum { DROPPED = 42, BIAS = 1008 << 10, NORMAL = 1009 };
  const u64 bits = hd_bits_f64(x), magnitude = bits & (u64)HD_I64_MAX;
  const u64 half = ((u64)1 << (DROPPED - 1)) - 1 + (magnitude >> DROPPED & 1);
  const u64 normal = ((magnitude + half) >> DROPPED) - BIAS;
  const u64 small = hd_bits_f64(hd_f64_of_bits(magnitude) + 0x1p28) - hd_bits_f64(0x1p28);
  u64 narrow = normal < 0x7c00 ? normal : 0x7c00;
  narrow = magnitude < (u64)NORMAL << 52 ? small : narrow;
  narrow |= bits >> 63 << 15;
  return (f16)(x == x ? narrow : HD_NAN_F16);
}

static size_t f64_to_f16(const char *in, char *out, size_t count) {
  f16 r[BLOCK];
  size_t i = 0;
  for (; i + BLOCK <= count; i += BLOCK) {
    for (size_t k = 0; k < BLOCK; k++) {
      f64 v;
      memcpy(&v, in + (i + k) * sizeof v, sizeof v);
      r[k] = narrow_f16(v);
    }
    memcpy(out + i * sizeof *r, r, sizeof r);
  }
  return i;
}

heddle_status heddle_convert(heddle_type from, const void *in, heddle_type to, void *out,
                             size_t count) {
  if (!hd_is_type(from) || !hd_is_type(to))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "heddle_convert: `%s` %d is not an element type; use HEDDLE_U8 to HEDDLE_F64",
                   hd_is_type(from) ? "to" : "from", (int)(hd_is_type(from) ? to : from));
  const size_t step = heddle_type_size(from), stride = heddle_type_size(to);
  HD_TRY(hd_check_array("heddle_convert", "in", in, count, step));
  HD_TRY(hd_check_array("heddle_convert", "out", out, count, stride));
  if (from == to) {
    if (count) memmove(out, in, count * step);
    return HEDDLE_OK;
  }
  const struct hd_span from_span = {"in", in, count * step}, to_span = {"out", out, count * stride};
  if (!(in == out && stride <= step) && hd_spans_touch(&from_span, &to_span))
    return hd_overlap("heddle_convert", "out", "in");
  unsigned long saved = hd_float_enter();
  size_t i = 0;
  if (from == HEDDLE_F64 && to == HEDDLE_F32) i = f64_to_f32(in, out, count);
  if (from == HEDDLE_F64 && to == HEDDLE_F16) i = f64_to_f16(in, out, count);
  for (; i < count; i++)
    hd_convert_one(from, (const char *)in + i * step, to, (char *)out + i * stride);
  hd_float_leave(saved);
  return HEDDLE_OK;
}
