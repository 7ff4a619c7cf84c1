/* merge.c - integers of any size as 64 bits, floats as they are, the others by their own headers */
#include "merge.h"

#include <assert.h>
#include <string.h>

#include "moments.h"

static u64 load(const void *total, u32 bytes, bool is_signed) {
  u32 half;
  u64 whole;
  if (bytes == sizeof half) {
    memcpy(&half, total, sizeof half);
    return is_signed ? (u64)(i64)(i32)half : half;
  }
  memcpy(&whole, total, sizeof whole);
  return whole;
}

static void store(u64 value, u32 bytes, void *total) {
  const u32 half = (u32)value;
  if (bytes == sizeof half)
    memcpy(total, &half, sizeof half);
  else
    memcpy(total, &value, sizeof value);
}

static u64 merge_integers(heddle_op op, bool is_signed, u64 a, u64 b) {
  const u64 flip = (u64)is_signed << 63; /* then unsigned numbers are in order */
  switch (op) {
  case HEDDLE_MIN: return (b ^ flip) < (a ^ flip) ? b : a;
  case HEDDLE_MAX: return (a ^ flip) < (b ^ flip) ? b : a;
  case HEDDLE_AND:
  case HEDDLE_ALL: return a & b;
  case HEDDLE_OR:
  case HEDDLE_ANY: return a | b;
  case HEDDLE_XOR: return a ^ b;
  case HEDDLE_PROD: return a * b;
  default: assert(op == HEDDLE_SUM); return a + b;
  }
}

static void merge_f32(heddle_op op, void *left, const void *right) {
  f32 a, b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  a = op == HEDDLE_PROD ? a * b : a + b;
  memcpy(left, &a, sizeof a);
}

static void merge_f64(heddle_op op, void *left, const void *right) {
  f64 a, b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  a = op == HEDDLE_PROD ? a * b : a + b;
  memcpy(left, &a, sizeof a);
}

static void merge_args(void *left, const void *right) {
  struct hd_arg_total a, b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  hd_arg_merge(&a, &b);
  memcpy(left, &a, sizeof a);
}

static void merge_moments(void *left, const void *right) {
  struct hd_moments a, b;
  memcpy(&a, left, sizeof a);
  memcpy(&b, right, sizeof b);
  hd_moments_merge(&a, &b);
  memcpy(left, &a, sizeof a);
}

static void merge_as_integers(const struct hd_total_form *form, void *left, const void *right) {
  const bool is_key = form->kind == HD_TOTAL_KEY32 || form->kind == HD_TOTAL_KEY64;
  const bool is_signed = is_key || hd_is_signed(form->type);
  const u32 element_bytes = (u32)heddle_type_size(form->type);
  const u32 bytes = HD_TOTAL_BYTES(form->kind, element_bytes);
  const u64 a = load(left, bytes, is_signed), b = load(right, bytes, is_signed);
  store(merge_integers(hd_op_combine(form->op), is_signed, a, b), bytes, left);
}

void hd_total_merge(const struct hd_total_form *form, void *left, const void *right) {
  switch (form->kind) {
  case HD_TOTAL_F32: merge_f32(hd_op_combine(form->op), left, right); break;
  case HD_TOTAL_F64: merge_f64(hd_op_combine(form->op), left, right); break;
  case HD_TOTAL_ARG: merge_args(left, right); break;
  case HD_TOTAL_MOMENTS: merge_moments(left, right); break;
  default: assert(form->kind != HD_TOTAL_CUSTOM); merge_as_integers(form, left, right);
  }
}
