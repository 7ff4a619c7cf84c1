/* finish.c - from a total to the result that was asked for
 *
 * init enters as op(init, result) in the accumulator (rule 7); NaN leaves canonical (rule 12); the
 * one rounding is the last step. */
#include <string.h>

#include "fold.h"
#include "host/status.h"
#include "order/convert.h"
#include "order/float_bits.h"

/* The type that a total of this kind is an element of; extremes of floats are first turned back
 * from keys. */
static heddle_type total_type(const struct hd_fold *fold, enum hd_total total) {
  switch (total) {
  case HD_TOTAL_U64: return hd_is_signed(fold->type) ? HEDDLE_I64 : HEDDLE_U64;
  case HD_TOTAL_F32:
  case HD_TOTAL_KEY32: return HEDDLE_F32;
  case HD_TOTAL_F64:
  case HD_TOTAL_KEY64: return HEDDLE_F64;
  case HD_TOTAL_BOOL: return HEDDLE_U8;
  default: return fold->type;
  }
}

size_t hd_cpu_fold_out_bytes(const struct hd_fold *fold) {
  return fold->op == HEDDLE_OP_CUSTOM ? fold->custom->element_bytes
                                      : heddle_type_size(fold->out_type);
}

/* Non-zero in its own type; a NaN is. */
static bool is_true(heddle_type type, const void *element) {
  const unsigned char *byte = element;
  size_t n = heddle_type_size(type), any = 0;
  for (size_t i = 0; i < n; i++) any |= byte[i];
  if (hd_is_float(type)) { /* but for the sign of a zero */
    f64 f;
    hd_convert_one(type, element, HEDDLE_F64, &f);
    return !(f == 0);
  }
  return any != 0;
}

/* init as a total of the kernel's kind. The NaN policy is about elements: a NaN here propagates. */
static void init_total(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                       void *total) {
  heddle_type type = total_type(fold, kernel->total);
  unsigned char value[8];
  if (kernel->total == HD_TOTAL_BOOL) {
    memset(total, is_true(fold->out_type, fold->init) ? 0xff : 0, kernel->total_bytes);
    return;
  }
  hd_convert_one(fold->out_type, fold->init, type, value);
  memcpy(total, value, heddle_type_size(type));
  if (kernel->total == HD_TOTAL_KEY32) {
    f32 f;
    memcpy(&f, value, sizeof f);
    i32 key = f == f ? hd_key_of_f32(f) : fold->op == HEDDLE_MIN ? INT32_MIN : INT32_MAX;
    memcpy(total, &key, sizeof key);
  } else if (kernel->total == HD_TOTAL_KEY64) {
    f64 f;
    memcpy(&f, value, sizeof f);
    i64 key = f == f ? hd_key_of_f64(f) : fold->op == HEDDLE_MIN ? INT64_MIN : INT64_MAX;
    memcpy(total, &key, sizeof key);
  }
}

static heddle_status empty(const struct hd_fold *fold, u64 count) {
  const char *what = count ? "nothing but NaN" : "no values";
  if (fold->verb == HD_ARGREDUCE)
    return hd_fail(HEDDLE_EMPTY, "%s: arg%s of %s has no result; give values", fold->entry,
                   hd_op_name(fold->op), what);
  return hd_fail(HEDDLE_EMPTY, "%s: %s of %s has no result; give values, or an init", fold->entry,
                 hd_op_name(fold->op), what);
}

/* Keys back to floats; the identity is infinity in a row, and no result elsewhere. */
static bool extreme_value(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                          void *total) {
  bool least = fold->op == HEDDLE_MIN, none;
  if (kernel->total == HD_TOTAL_KEY32) {
    i32 key;
    memcpy(&key, total, sizeof key);
    none = key == (least ? INT32_MAX : INT32_MIN);
    f32 f = hd_canonical_f32(hd_f32_of_key(key));
    if (none) f = least ? hd_f32_of_bits(0x7f800000u) : hd_f32_of_bits(0xff800000u);
    if (key == (least ? INT32_MIN : INT32_MAX)) f = hd_f32_of_bits(HD_NAN_F32);
    memcpy(total, &f, sizeof f);
  } else {
    i64 key;
    memcpy(&key, total, sizeof key);
    none = key == (least ? INT64_MAX : INT64_MIN);
    f64 f = hd_canonical_f64(hd_f64_of_key(key));
    if (none) f = hd_f64_of_bits(least ? UINT64_C(0x7ff) << 52 : UINT64_C(0xfff) << 52);
    if (key == (least ? INT64_MIN : INT64_MAX)) f = hd_f64_of_bits(HD_NAN_F64);
    memcpy(total, &f, sizeof f);
  }
  return !none;
}

static heddle_status arg_result(const struct hd_fold *fold, const void *total, u64 count,
                                bool is_row, struct hd_fold_out out) {
  struct hd_cpu_arg_total arg;
  memcpy(&arg, total, sizeof arg);
  if (arg.index == UINT64_MAX && !is_row) return empty(fold, count);
  if (out.index) memcpy(out.index, &arg.index, sizeof arg.index);
  if (out.value && arg.index != UINT64_MAX)
    memcpy(out.value, &arg.bits, heddle_type_size(fold->type));
  return HEDDLE_OK;
}

static void description_result(const struct hd_fold *fold, const void *total, u64 count,
                               heddle_description *out) {
  struct hd_moments m;
  memcpy(&m, total, sizeof m);
  const f64 nan = hd_f64_of_bits(HD_NAN_F64);
  bool lost = m.n == 0 || (m.nan && fold->nan == HEDDLE_NAN_PROPAGATE);
  f64 variance = hd_canonical_f64(m.m2 / m.n);
  out->size = sizeof *out;
  out->count = count;
  out->nan = m.nan;
  out->infinite = m.infinite;
  out->min = lost ? nan : hd_f64_of_key(m.min_key);
  out->max = lost ? nan : hd_f64_of_key(m.max_key);
  out->sum = m.n == 0 ? 0.0 : hd_canonical_f64(m.sum);
  out->mean = lost ? nan : hd_canonical_f64(m.mean);
  out->variance = lost ? nan : variance;
  out->skewness =
      variance == 0 || lost ? nan : hd_canonical_f64((m.m3 / m.n) / (variance * hd_sqrt(variance)));
}

heddle_status hd_cpu_fold_result(const struct hd_fold *fold,
                                 const struct hd_cpu_fold_kernel *kernel, void *total, u64 count,
                                 bool is_row, struct hd_fold_out out) {
  if (kernel->total == HD_TOTAL_ARG) return arg_result(fold, total, count, is_row, out);
  if (kernel->total == HD_TOTAL_MOMENTS) {
    description_result(fold, total, count, out.description);
    return HEDDLE_OK;
  }
  bool extreme = fold->op == HEDDLE_MIN || fold->op == HEDDLE_MAX;
  bool none = extreme && !count && !fold->init;
  _Alignas(64) unsigned char first[HD_MAX_CUSTOM_BYTES];
  if (fold->init) {
    if (kernel->total == HD_TOTAL_CUSTOM)
      memcpy(first, fold->init, kernel->total_bytes);
    else
      init_total(fold, kernel, first);
    heddle_status status = kernel->combine(first, total, fold->custom);
    if (status) return status;
    total = first;
  }
  if (kernel->total == HD_TOTAL_CUSTOM) {
    memcpy(out.value, total, kernel->total_bytes);
    return HEDDLE_OK;
  }
  if (kernel->total == HD_TOTAL_KEY32 || kernel->total == HD_TOTAL_KEY64)
    none = !extreme_value(fold, kernel, total) || none;
  if (none && !is_row) return empty(fold, count);
  if (kernel->total == HD_TOTAL_BOOL) *(unsigned char *)total = *(unsigned char *)total != 0;
  f32 zero32 = 0;
  f64 zero64 = 0;
  bool empty_sum = !count && !fold->init && fold->op == HEDDLE_SUM; /* rule 7: +0.0 */
  if (empty_sum && kernel->total == HD_TOTAL_F32) memcpy(total, &zero32, sizeof zero32);
  if (empty_sum && kernel->total == HD_TOTAL_F64) memcpy(total, &zero64, sizeof zero64);
  hd_convert_one(total_type(fold, kernel->total), total, fold->out_type, out.value);
  return HEDDLE_OK;
}
