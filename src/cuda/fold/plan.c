/* plan.c - from a checked job to what the kernels are compiled with and what they are given
 *
 * Kinds of totals and their sizes are those of kernels/base/operator.h. */
#include <string.h>

#include "fold.h"
#include "host/status.h"
#include "order/convert.h"
#include "order/float_bits.h"

#include "kernels/base/args.h" /* needs their types */

_Static_assert((int)HD_FOLD_TOTAL_BYTES == (int)TOTAL_MOST_BYTES, "the largest total");

/* kernels/base/value.h has the numbers again. */
_Static_assert(HEDDLE_U8 == 1 && HEDDLE_I8 == 5 && HEDDLE_F16 == 9 && HEDDLE_BF16 == 10 &&
                   HEDDLE_F32 == 11 && HEDDLE_F64 == 12 && HEDDLE_CUSTOM == 13,
               "element types");
_Static_assert(HEDDLE_SUM == 1 && HEDDLE_PROD == 2 && HEDDLE_MIN == 3 && HEDDLE_MAX == 4 &&
                   HEDDLE_AND == 5 && HEDDLE_OR == 6 && HEDDLE_XOR == 7 && HEDDLE_ANY == 8 &&
                   HEDDLE_ALL == 9 && HEDDLE_OP_CUSTOM == 10,
               "operators");
_Static_assert(HD_REDUCE == 0 && HD_ARGREDUCE == 1 && HD_DOT == 2 && HD_DESCRIBE == 3, "verbs");
_Static_assert(sizeof(heddle_description) == 80, "struct description of kernels/base/convert.h");

enum kind { KIND_U64, KIND_F32, KIND_F64, KIND_KEY32, KIND_KEY64, KIND_INPUT, KIND_BOOL };

static bool is_custom(const struct hd_fold *fold) { return fold->op == HEDDLE_OP_CUSTOM; }
static bool is_arithmetic(const struct hd_fold *fold) {
  return fold->op == HEDDLE_SUM || fold->op == HEDDLE_PROD;
}

/* Of totals that are numbers. */
static enum kind kind_of(const struct hd_fold *fold) {
  if (fold->op == HEDDLE_ANY || fold->op == HEDDLE_ALL) return KIND_BOOL;
  if (is_arithmetic(fold)) {
    if (hd_is_integer(fold->type)) return KIND_U64;
    return fold->acc_type == HEDDLE_F64 ? KIND_F64 : KIND_F32;
  }
  if (!hd_is_float(fold->type)) return KIND_INPUT;
  return fold->type == HEDDLE_F64 ? KIND_KEY64 : KIND_KEY32;
}

u32 hd_cuda_fold_lanes(const struct hd_fold *fold) {
  if (fold->verb == HD_DESCRIBE) return 64;
  if (!is_custom(fold)) return kind_of(fold) == KIND_F64 ? 64 : 128;
  u32 lanes = 1;
  while (2 * lanes * fold->custom->element_bytes <= 512) lanes *= 2;
  return lanes;
}

bool hd_cuda_fold_is_order_free(const struct hd_fold *fold) {
  if (fold->verb == HD_DESCRIBE || is_custom(fold)) return false;
  return fold->verb == HD_ARGREDUCE || !hd_is_float(fold->type) || !is_arithmetic(fold);
}

size_t hd_cuda_fold_element_bytes(const struct hd_fold *fold) {
  return is_custom(fold) ? fold->custom->element_bytes : heddle_type_size(fold->type);
}

size_t hd_cuda_fold_result_bytes(const struct hd_fold *fold) {
  if (fold->verb == HD_DESCRIBE) return sizeof(heddle_description);
  if (fold->verb == HD_ARGREDUCE) return heddle_type_size(fold->type);
  return is_custom(fold) ? fold->custom->element_bytes : heddle_type_size(fold->out_type);
}

size_t hd_cuda_fold_total_bytes(const struct hd_fold *fold) {
  if (fold->verb == HD_ARGREDUCE) return 24;
  if (fold->verb == HD_DESCRIBE) return 72;
  if (is_custom(fold)) return fold->custom->element_bytes;
  switch (kind_of(fold)) {
  case KIND_F32:
  case KIND_KEY32:
  case KIND_BOOL: return 4;
  case KIND_INPUT: return heddle_type_size(fold->type) == 8 ? 8 : 4;
  default: return 8;
  }
}

void hd_cuda_fold_defines(struct hd_cuda_kernel_key *key, const struct hd_fold *fold) {
  const bool is_float = hd_is_float(fold->type);
  /* What makes no difference has one value, so that one module serves. */
  const bool skips = is_float && fold->nan == HEDDLE_NAN_SKIP && fold->op != HEDDLE_ALL;
  const bool in_f64 = is_float && is_arithmetic(fold) && fold->acc_type == HEDDLE_F64;
  hd_cuda_kernel_define(key, "HEDDLE_TYPE", fold->type);
  hd_cuda_kernel_define(key, "HEDDLE_VERB", fold->verb);
  hd_cuda_kernel_define(key, "HEDDLE_OP", fold->op);
  hd_cuda_kernel_define(key, "HEDDLE_ACC", in_f64 ? HEDDLE_F64 : HEDDLE_F32);
  hd_cuda_kernel_define(key, "HEDDLE_NAN", skips);
  if (!is_custom(fold)) return;
  hd_cuda_kernel_define(key, "HEDDLE_LANES", hd_cuda_fold_lanes(fold));
  hd_cuda_kernel_define(key, "HEDDLE_COMMUTATIVE", fold->custom->commutative != 0);
  key->custom = fold->custom->cuda_source;
  key->element_bytes = fold->custom->element_bytes;
}

/* ---- init --------------------------------------------------------------------------------------- */

/* Non-zero, which a NaN is. */
static u32 truth_of(heddle_type type, const void *element) {
  if (hd_is_float(type)) {
    f64 f;
    hd_convert_one(type, element, HEDDLE_F64, &f);
    return !(f == 0);
  }
  u64 bits = 0;
  memcpy(&bits, element, heddle_type_size(type)); /* which bytes does not matter */
  return bits != 0;
}

/* A NaN in init propagates, whatever the policy says of elements. */
static void key_total(const struct hd_fold *fold, enum kind kind, void *total) {
  const bool least = fold->op == HEDDLE_MIN;
  if (kind == KIND_KEY32) {
    f32 f;
    hd_convert_one(fold->out_type, fold->init, HEDDLE_F32, &f);
    i32 key = f == f ? hd_key_of_f32(f) : least ? INT32_MIN : INT32_MAX;
    memcpy(total, &key, sizeof key);
  } else {
    f64 f;
    hd_convert_one(fold->out_type, fold->init, HEDDLE_F64, &f);
    i64 key = f == f ? hd_key_of_f64(f) : least ? INT64_MIN : INT64_MAX;
    memcpy(total, &key, sizeof key);
  }
}

/* An element of fold->type, widened to at least 4 bytes as the kernels have it. */
static void input_total(const struct hd_fold *fold, void *total) {
  u64 value = 0;
  const bool is_signed = hd_is_signed(fold->type);
  hd_convert_one(fold->out_type, fold->init, fold->type, &value);
  u64 wide;
  hd_convert_one(fold->type, &value, is_signed ? HEDDLE_I64 : HEDDLE_U64, &wide);
  u32 half = (u32)wide;
  if (hd_cuda_fold_total_bytes(fold) == 8)
    memcpy(total, &wide, sizeof wide);
  else
    memcpy(total, &half, sizeof half);
}

void hd_cuda_fold_init_total(const struct hd_fold *fold, void *total) {
  const heddle_type sum = hd_is_signed(fold->type) ? HEDDLE_I64 : HEDDLE_U64;
  if (is_custom(fold)) {
    memcpy(total, fold->init, fold->custom->element_bytes);
    return;
  }
  switch (kind_of(fold)) {
  case KIND_U64: hd_convert_one(fold->out_type, fold->init, sum, total); break;
  case KIND_F32: hd_convert_one(fold->out_type, fold->init, HEDDLE_F32, total); break;
  case KIND_F64: hd_convert_one(fold->out_type, fold->init, HEDDLE_F64, total); break;
  case KIND_KEY32: key_total(fold, KIND_KEY32, total); break;
  case KIND_KEY64: key_total(fold, KIND_KEY64, total); break;
  case KIND_INPUT: input_total(fold, total); break;
  case KIND_BOOL: {
    u32 truth = truth_of(fold->out_type, fold->init);
    memcpy(total, &truth, sizeof truth);
  }
  }
}

void hd_cuda_fold_ends(const struct hd_fold *fold, bool has_init, struct total_ends *ends) {
  const size_t bytes = hd_cuda_fold_total_bytes(fold);
  if (has_init) hd_cuda_fold_init_total(fold, ends->bytes);
  if (is_custom(fold)) memcpy(ends->bytes + bytes, fold->custom->identity, bytes);
}

heddle_status hd_cuda_fold_empty(const struct hd_fold *fold) {
  const bool extreme = fold->op == HEDDLE_MIN || fold->op == HEDDLE_MAX;
  if (!extreme || fold->init) return HEDDLE_OK;
  if (fold->verb == HD_ARGREDUCE)
    return hd_fail(HEDDLE_EMPTY, "%s: arg%s of no values has no result; give values", fold->entry,
                   hd_op_name(fold->op));
  return hd_fail(HEDDLE_EMPTY, "%s: %s of no values has no result; give values, or an init",
                 fold->entry, hd_op_name(fold->op));
}
