/* columns_results.c - accumulators of neighbouring columns to the results that were asked for
 *
 * Method   Results of the type that a verb has if nobody asks for another are copied, or converted in
 *          blocks of a fixed length, which compilers make vectors of. Others go by finish.c, one by one. */
#include <string.h>

#include "columns.h"

enum { BLOCK = 64 };

/* ---- BLOCK of them at a time --------------------------------------------------------------------- */

static void canonical_f32(const void *from, void *to) {
  f32 v[BLOCK];
  memcpy(v, from, sizeof v);
  for (size_t i = 0; i < BLOCK; i++) v[i] = hd_canonical_f32(v[i]);
  memcpy(to, v, sizeof v);
}
static void canonical_f64(const void *from, void *to) {
  f64 v[BLOCK];
  memcpy(v, from, sizeof v);
  for (size_t i = 0; i < BLOCK; i++) v[i] = hd_canonical_f64(v[i]);
  memcpy(to, v, sizeof v);
}
static void f64_to_f32(const void *from, void *to) {
  f64 v[BLOCK];
  f32 r[BLOCK];
  memcpy(v, from, sizeof v);
  for (size_t i = 0; i < BLOCK; i++) r[i] = hd_canonical_f32((f32)v[i]);
  memcpy(to, r, sizeof r);
}

/* Keys of NaN and of no value are not the keys of numbers: their bits are above infinity's. */
static inline void keys32(const void *from, void *to, bool is_min) {
  i32 k[BLOCK];
  u32 r[BLOCK];
  memcpy(k, from, sizeof k);
  for (size_t i = 0; i < BLOCK; i++) {
    const u32 bits = (u32)(k[i] ^ ((k[i] >> 31) & HD_I32_MAX));
    const u32 number = (bits & 0x7fffffffu) > 0x7f800000u ? HD_NAN_F32 : bits;
    r[i] = k[i] == HD_KEY32_EMPTY(is_min) ? (is_min ? 0x7f800000u : 0xff800000u) : number;
  }
  memcpy(to, r, sizeof r);
}
static inline void keys64(const void *from, void *to, bool is_min) {
  i64 k[BLOCK];
  u64 r[BLOCK];
  const u64 infinity = (u64)0x7ff << 52, sign = (u64)1 << 63;
  memcpy(k, from, sizeof k);
  for (size_t i = 0; i < BLOCK; i++) {
    const u64 bits = (u64)(k[i] ^ ((k[i] >> 63) & HD_I64_MAX));
    const u64 number = (bits & ~sign) > infinity ? HD_NAN_F64 : bits;
    r[i] = k[i] == HD_KEY64_EMPTY(is_min) ? (is_min ? infinity : infinity | sign) : number;
  }
  memcpy(to, r, sizeof r);
}
static void least32(const void *from, void *to) { keys32(from, to, true); }
static void greatest32(const void *from, void *to) { keys32(from, to, false); }
static void least64(const void *from, void *to) { keys64(from, to, true); }
static void greatest64(const void *from, void *to) { keys64(from, to, false); }

static void copy1(const void *from, void *to) { memcpy(to, from, BLOCK); }
static void copy2(const void *from, void *to) { memcpy(to, from, BLOCK * sizeof(u16)); }
static void copy4(const void *from, void *to) { memcpy(to, from, BLOCK * sizeof(u32)); }
static void copy8(const void *from, void *to) { memcpy(to, from, BLOCK * sizeof(u64)); }

/* A mask's low byte, 0 or 1. */
static inline void masks(const unsigned char *from, void *to, size_t bytes) {
  u8 r[BLOCK];
  for (size_t i = 0; i < BLOCK; i++) r[i] = from[i * bytes] & 1;
  memcpy(to, r, sizeof r);
}
static void masks1(const void *from, void *to) { masks(from, to, 1); }
static void masks2(const void *from, void *to) { masks(from, to, 2); }
static void masks4(const void *from, void *to) { masks(from, to, 4); }
static void masks8(const void *from, void *to) { masks(from, to, 8); }

typedef void convert(const void *from, void *to);

static convert *by_size(u32 bytes, convert *one, convert *two, convert *four, convert *eight) {
  return bytes == 1 ? one : bytes == 2 ? two : bytes == 4 ? four : eight;
}

/* NULL: none of these. */
static convert *in_bulk(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel) {
  const u32 bytes = kernel->columns->bytes;
  const heddle_type out = fold->out_type;
  const bool is_min = fold->op == HEDDLE_MIN;
  switch (kernel->kind) {
  case HD_TOTAL_U64: return out == HEDDLE_U64 || out == HEDDLE_I64 ? copy8 : NULL;
  case HD_TOTAL_F32: return out == HEDDLE_F32 ? canonical_f32 : NULL;
  case HD_TOTAL_F64:
    return out == HEDDLE_F64 ? canonical_f64 : out == HEDDLE_F32 ? f64_to_f32 : NULL;
  case HD_TOTAL_KEY32: return out != HEDDLE_F32 ? NULL : is_min ? least32 : greatest32;
  case HD_TOTAL_KEY64: return out != HEDDLE_F64 ? NULL : is_min ? least64 : greatest64;
  case HD_TOTAL_INPUT: return out == fold->type ? by_size(bytes, copy1, copy2, copy4, copy8) : NULL;
  case HD_TOTAL_BOOL:
    return out == HEDDLE_U8 ? by_size(bytes, masks1, masks2, masks4, masks8) : NULL;
  default: return NULL;
  }
}

/* ---- one by one ------------------------------------------------------------------------------------ */

/* *total = an accumulator in the form of order/total.h. */
static void total_of(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                     const void *accumulator, void *total) {
  const u32 bytes = kernel->columns->bytes;
  u32 small = 0;
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
  convert *const bulk = fold->init ? NULL : in_bulk(fold, kernel);
  const char *accumulator = accumulators;
  char *result = out, ends[2][BLOCK * sizeof(u64)] = {{0}};
  heddle_status status = HEDDLE_OK;
  for (; bulk && n >= BLOCK; n -= BLOCK) {
    bulk(accumulator, result);
    accumulator += BLOCK * from, result += BLOCK * to;
  }
  if (bulk) {
    memcpy(ends[0], accumulator, n * from);
    bulk(ends[0], ends[1]);
    memcpy(result, ends[1], n * to);
    return status;
  }
  for (size_t i = 0; i < n && !status; i++) {
    u64 total = 0;
    total_of(fold, kernel, accumulator + i * from, &total);
    const struct hd_fold_out at = {.value = result + i * to};
    status = hd_cpu_fold_result(fold, kernel, &total, count, true, at);
  }
  return status;
}
