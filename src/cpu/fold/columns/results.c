/* results.c - accumulators of neighbouring columns to the results that were asked for
 *
 * Method   Results of the type that a verb has if nobody asks for another, and of any and all as u8, are
 *          copied, or made by the kernel's vectors; a few more are converted in blocks of a fixed length, which compilers make
 *          vectors of. Others go by finish.c, one by one. */
#include <string.h>

#include "columns.h"
#include "order/result.h"

enum { BLOCK = 64 };

/* ---- BLOCK of them at a time --------------------------------------------------------------------- */

/* One by one to the compiler, which makes vectors of that: a block that is copied first takes longer. */
typedef void convert(const char *restrict from, char *restrict to);

static void f64_to_f32(const char *restrict from, char *restrict to) {
  for (size_t i = 0; i < BLOCK; i++) {
    f64 v;
    memcpy(&v, from + i * sizeof v, sizeof v);
    const f32 r = hd_canonical_f32((f32)v);
    memcpy(to + i * sizeof r, &r, sizeof r);
  }
}
static void f32_to_f16(const char *restrict from, char *restrict to) {
  f32 v[BLOCK];
  f16 r[BLOCK];
  memcpy(v, from, sizeof v);
  for (size_t i = 0; i < BLOCK; i++) r[i] = hd_f16_from_f64(v[i]);
  memcpy(to, r, sizeof r);
}
static void f32_to_bf16(const char *restrict from, char *restrict to) {
  f32 v[BLOCK];
  bf16 r[BLOCK];
  memcpy(v, from, sizeof v);
  for (size_t i = 0; i < BLOCK; i++) r[i] = hd_bf16_from_f64(v[i]);
  memcpy(to, r, sizeof r);
}

/* As f64, each rounded once: halves of 32 bits and the difference are exact, the sum is not. `flip` makes
 * a signed upper half an unsigned one, which `above` takes back. */
static inline void integers(const char *restrict from, char *restrict to, u64 flip, f64 above) {
  const u64 low_bits = (u64)0x433 << 52, high_bits = (u64)0x453 << 52; /* 2^52, 2^84 */
  for (size_t i = 0; i < BLOCK; i++) {
    u64 v;
    memcpy(&v, from + i * sizeof v, sizeof v);
    const u64 low = (v & 0xffffffff) | low_bits, high = ((v ^ flip) >> 32) | high_bits;
    const f64 r = (hd_f64_of_bits(high) - above) + hd_f64_of_bits(low);
    memcpy(to + i * sizeof r, &r, sizeof r);
  }
}
static void u64_to_f64(const char *restrict from, char *restrict to) {
  integers(from, to, 0, 0x1p84 + 0x1p52);
}
static void i64_to_f64(const char *restrict from, char *restrict to) {
  integers(from, to, (u64)1 << 63, 0x1p84 + 0x1p63 + 0x1p52);
}

/* What makes results of values; NULL: nothing of this file. */
static convert *conversion(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel) {
  const heddle_type out = fold->out_type;
  switch (kernel->kind) {
  case HD_TOTAL_U64:
    if (out != HEDDLE_F64) return NULL;
    return hd_is_signed(fold->type) ? i64_to_f64 : u64_to_f64;
  case HD_TOTAL_F32:
  case HD_TOTAL_KEY32:
    return out == HEDDLE_F16 ? f32_to_f16 : out == HEDDLE_BF16 ? f32_to_bf16 : NULL;
  case HD_TOTAL_F64:
  case HD_TOTAL_KEY64: return out == HEDDLE_F32 ? f64_to_f32 : NULL;
  default: return NULL;
  }
}

/* Whether accumulators, or the values that they stand for, are the results. */
static bool is_result(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel) {
  const heddle_type out = fold->out_type;
  switch (kernel->kind) {
  case HD_TOTAL_U64: return out == HEDDLE_U64 || out == HEDDLE_I64;
  case HD_TOTAL_F32:
  case HD_TOTAL_KEY32: return out == HEDDLE_F32;
  case HD_TOTAL_F64:
  case HD_TOTAL_KEY64: return out == HEDDLE_F64;
  case HD_TOTAL_INPUT: return out == fold->type;
  case HD_TOTAL_BOOL: return out == HEDDLE_U8;
  default: return false;
  }
}

/* Accumulators, or the values that they stand for; `from` has a vector of them, though n may be less. */
static void values_of(const struct hd_cpu_fold_kernel *kernel, const void *from, size_t n,
                      size_t size, void *to) {
  const struct hd_cpu_fold_columns *columns = kernel->columns;
  unsigned char vector[BLOCK * sizeof(u64)];
  if (!columns->values) {
    memcpy(to, from, n * size);
  } else if (n >= columns->least) {
    columns->values(from, n, to);
  } else {
    columns->values(from, columns->least, vector);
    memcpy(to, vector, n * size);
  }
}

/* In blocks, the last of which may be short. */
static void convert_all(const struct hd_cpu_fold_kernel *kernel, convert *results, size_t size,
                        const char *from, size_t n, char *to) {
  const size_t bytes = kernel->columns->bytes;
  unsigned char values[BLOCK * sizeof(u64)] = {0}, last[BLOCK * sizeof(u64)];
  for (size_t i = 0; i < n; i += BLOCK) {
    const size_t count = n - i < BLOCK ? n - i : BLOCK;
    memcpy(values, from + i * bytes, count * bytes);
    if (kernel->columns->values) kernel->columns->values(values, BLOCK, values);
    results((const char *)values, count == BLOCK ? to + i * size : (char *)last);
    if (count < BLOCK) memcpy(to + i * size, last, count * size);
  }
}

/* ---- one by one ------------------------------------------------------------------------------------ */

/* *total = the key of an extreme of floats, whose accumulator is a value. */
static void key_of(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                   const void *accumulator, void *total) {
  const bool wide = kernel->kind == HD_TOTAL_KEY64;
  const struct hd_total_form form = {kernel->kind, fold->op, fold->type};
  unsigned char vector[BLOCK * sizeof(u64)] = {0};
  memcpy(vector, accumulator, kernel->columns->bytes);
  kernel->columns->values(vector, kernel->columns->least, vector);
  hd_total_of_init(&form, wide ? HEDDLE_F64 : HEDDLE_F32, vector, total);
}

/* *total = an accumulator in the form of order/total.h. */
static void total_of(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                     const void *accumulator, void *total) {
  const u32 bytes = kernel->columns->bytes;
  u32 small = 0;
  if (kernel->columns->of_totals) {
    key_of(fold, kernel, accumulator, total);
    return;
  }
  memcpy(total, accumulator, bytes);
  if (kernel->kind != HD_TOTAL_INPUT && kernel->kind != HD_TOTAL_BOOL) return;
  if (bytes == sizeof(u64) && kernel->kind == HD_TOTAL_INPUT) return;
  memcpy(&small, accumulator, bytes < sizeof small ? bytes : sizeof small);
  if (kernel->kind == HD_TOTAL_BOOL) {
    small &= 1;
  } else if (hd_is_signed(fold->type) && bytes < sizeof small) {
    const u32 sign = (u32)1 << (8 * bytes - 1);
    small = (small ^ sign) - sign;
  }
  memcpy(total, &small, sizeof small);
}

heddle_status hd_cpu_fold_results(const struct hd_fold *fold,
                                  const struct hd_cpu_fold_kernel *kernel, const void *accumulators,
                                  size_t n, u64 count, void *out) {
  const size_t from = kernel->columns->bytes, to = hd_cpu_fold_out_bytes(fold);
  convert *const results = fold->init ? NULL : conversion(fold, kernel);
  heddle_status status = HEDDLE_OK;
  if (results) {
    convert_all(kernel, results, to, accumulators, n, out);
    return status;
  }
  if (!fold->init && is_result(fold, kernel)) {
    values_of(kernel, accumulators, n, to, out);
    return status;
  }
  for (size_t i = 0; i < n && !status; i++) {
    const struct hd_fold_out at = {.value = (char *)out + i * to};
    u64 total = 0;
    total_of(fold, kernel, (const char *)accumulators + i * from, &total);
    status = hd_cpu_fold_result(fold, kernel, &total, count, true, at);
  }
  return status;
}
