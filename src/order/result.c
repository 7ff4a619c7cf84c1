/* result.c - init as a total, and a total as a result, by way of one element of the total's own type */
#include "result.h"

#include <stdio.h>
#include <string.h>

#include "convert.h"
#include "moments.h"

_Static_assert(HD_TOTAL_BYTES(HD_TOTAL_ARG, 1) == sizeof(struct hd_arg_total) &&
                   HD_TOTAL_BYTES(HD_TOTAL_MOMENTS, 1) == sizeof(struct hd_moments),
               "sizes of totals");
#ifdef __BYTE_ORDER__
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "totals are little-endian in memory");
#endif

/* The type that the value of such a total is an element of. */
static heddle_type value_type(const struct hd_total_form *form) {
  switch (form->kind) {
  case HD_TOTAL_U64: return hd_is_signed(form->type) ? HEDDLE_I64 : HEDDLE_U64;
  case HD_TOTAL_F32:
  case HD_TOTAL_KEY32: return HEDDLE_F32;
  case HD_TOTAL_F64:
  case HD_TOTAL_KEY64: return HEDDLE_F64;
  case HD_TOTAL_BOOL: return HEDDLE_U8;
  default: return form->type;
  }
}

/* Non-zero, which a NaN is. */
static u32 logical_of(heddle_type type, const void *element) {
  if (hd_is_float(type)) {
    f64 f;
    hd_convert_one(type, element, HEDDLE_F64, &f);
    return !(f == 0);
  }
  u64 bits = 0;
  memcpy(&bits, element, heddle_type_size(type));
  return bits != 0;
}

/* An element of an integer type as a total that selects. */
static void store_input(heddle_type type, const void *value, void *total) {
  u64 wide;
  hd_convert_one(type, value, hd_is_signed(type) ? HEDDLE_I64 : HEDDLE_U64, &wide);
  const u32 half = (u32)wide;
  if (heddle_type_size(type) == sizeof wide)
    memcpy(total, &wide, sizeof wide);
  else
    memcpy(total, &half, sizeof half);
}

void hd_total_of_init(const struct hd_total_form *form, heddle_type type, const void *init,
                      void *total) {
  const bool is_min = form->op == HEDDLE_MIN;
  u64 value;
  if (form->kind == HD_TOTAL_BOOL) {
    const u32 logical = logical_of(type, init);
    memcpy(total, &logical, sizeof logical);
    return;
  }
  const heddle_type own = value_type(form);
  hd_convert_one(type, init, own, &value);
  if (form->kind == HD_TOTAL_INPUT) {
    store_input(own, &value, total);
  } else if (form->kind == HD_TOTAL_KEY32) {
    const f32 f = hd_f32_of_bits((u32)value);
    const i32 key = f == f ? hd_key_of_f32(f) : HD_KEY32_NAN(is_min);
    memcpy(total, &key, sizeof key);
  } else if (form->kind == HD_TOTAL_KEY64) {
    const f64 f = hd_f64_of_bits(value);
    const i64 key = f == f ? hd_key_of_f64(f) : HD_KEY64_NAN(is_min);
    memcpy(total, &key, sizeof key);
  } else {
    memcpy(total, &value, heddle_type_size(own));
  }
}

bool hd_total_value(const struct hd_total_form *form, const void *total, bool nothing, bool is_row,
                    heddle_type type, void *out) {
  const bool is_min = form->op == HEDDLE_MIN;
  bool none = false;
  u64 value = 0;
  if (form->kind == HD_TOTAL_KEY32) {
    i32 key;
    memcpy(&key, total, sizeof key);
    value = hd_bits_f32(hd_key32_value(key, is_min, &none));
    total = &value;
  } else if (form->kind == HD_TOTAL_KEY64) {
    i64 key;
    memcpy(&key, total, sizeof key);
    value = hd_bits_f64(hd_key64_value(key, is_min, &none));
    total = &value;
  } else if (nothing) {
    none = form->op == HEDDLE_MIN || form->op == HEDDLE_MAX;
    if (hd_is_sum(form->op)) total = &value; /* +0.0 */
  }
  if (none && !is_row) return false;
  hd_convert_one(value_type(form), total, type, out);
  return true;
}

void hd_totals_canonical(u32 kind, void *totals, size_t n) {
  unsigned char *at = totals;
  for (size_t i = 0; i < n; i++) {
    f32 f;
    f64 d;
    struct hd_moments m;
    if (kind == HD_TOTAL_F32) {
      memcpy(&f, at + i * sizeof f, sizeof f);
      f = hd_canonical_f32(f);
      memcpy(at + i * sizeof f, &f, sizeof f);
    } else if (kind == HD_TOTAL_F64) {
      memcpy(&d, at + i * sizeof d, sizeof d);
      d = hd_canonical_f64(d);
      memcpy(at + i * sizeof d, &d, sizeof d);
    } else if (kind == HD_TOTAL_MOMENTS) {
      memcpy(&m, at + i * sizeof m, sizeof m);
      m.sum = hd_canonical_f64(m.sum), m.mean = hd_canonical_f64(m.mean);
      m.m2 = hd_canonical_f64(m.m2), m.m3 = hd_canonical_f64(m.m3);
      memcpy(at + i * sizeof m, &m, sizeof m);
    }
  }
}

const char *hd_no_result(char text[HD_NO_RESULT_BYTES], const char *entry, bool arg, heddle_op op,
                         const char *what, const char *late) {
  snprintf(text, HD_NO_RESULT_BYTES, "%s: %s%s of %s has no result; give values%s%s", entry,
           arg ? "arg" : "", hd_op_name(op), what, arg ? "" : ", or an init", late);
  return text;
}
