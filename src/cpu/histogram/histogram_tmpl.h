/* histogram_tmpl.h - every histogram kernel of one ISA; included once, after vec_<isa>.h
 *
 * Result  histogram_kernels, the table that kernels.h declares.
 * Types   16-bit and smaller integers, f16, bf16 and f32 compare as f32, to which they convert
 *         exactly; the others as f64. Types of 8 bits need no index kernel: they have 256 values. */
#include "kernels.h"

#if VEC_BYTES == 64
#include "cpu/vec/histogram_avx512.h"
#elif VEC_BYTES == 32
#include "cpu/vec/histogram_avx2.h"
#else
#include "cpu/vec/histogram_generic.h"
#endif

static inline vi32 hist_widen_i32(const u32 *p) { return (vi32)load_u32_u32(p); }
static inline vi64 hist_widen_i64(const u32 *p) { return (vi64)load_u32_u64(p); }

static inline vf32 hist_u16_f32(const void *p) {
  return __builtin_convertvector((vi32)load_u16_u32(p), vf32);
}
static inline vf32 hist_i16_f32(const void *p) {
  return __builtin_convertvector(load_i16_i32(p), vf32);
}

#define HIST_T u16
#define HIST_F f32
#define HIST_I i32
#define HIST_U u32
#define HIST_LOAD hist_u16_f32
#include "index_tmpl.h"

#define HIST_T i16
#define HIST_F f32
#define HIST_I i32
#define HIST_U u32
#define HIST_LOAD hist_i16_f32
#include "index_tmpl.h"

#define HIST_T f16
#define HIST_F f32
#define HIST_I i32
#define HIST_U u32
#define HIST_LOAD load_f16_f32
#include "index_tmpl.h"

#define HIST_T bf16
#define HIST_F f32
#define HIST_I i32
#define HIST_U u32
#define HIST_LOAD load_bf16_f32
#include "index_tmpl.h"

#define HIST_T f32
#define HIST_F f32
#define HIST_I i32
#define HIST_U u32
#define HIST_LOAD load_f32_f32
#include "index_tmpl.h"

#define HIST_T u32
#define HIST_F f64
#define HIST_I i64
#define HIST_U u64
#include "index_tmpl.h"

#define HIST_T i32
#define HIST_F f64
#define HIST_I i64
#define HIST_U u64
#include "index_tmpl.h"

#define HIST_T u64
#define HIST_F f64
#define HIST_I i64
#define HIST_U u64
#include "index_tmpl.h"

#define HIST_T i64
#define HIST_F f64
#define HIST_I i64
#define HIST_U u64
#include "index_tmpl.h"

#define HIST_T f64
#define HIST_F f64
#define HIST_I i64
#define HIST_U u64
#define HIST_LOAD load_f64_f64
#include "index_tmpl.h"

#define HIST_T u16
#define HIST_U u16
#include "integer_tmpl.h"
#define HIST_T i16
#define HIST_U u16
#include "integer_tmpl.h"
#define HIST_T u32
#define HIST_U u32
#include "integer_tmpl.h"
#define HIST_T i32
#define HIST_U u32
#include "integer_tmpl.h"
#define HIST_T u64
#define HIST_U u64
#include "integer_tmpl.h"
#define HIST_T i64
#define HIST_U u64
#include "integer_tmpl.h"

#define HIST_T u8
#define HIST_K u8
#define HIST_KEYS load_u8_u8
#define HIST_LEAST 0
#define HIST_MOST UINT8_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T u16
#define HIST_K u16
#define HIST_KEYS load_u16_u16
#define HIST_LEAST 0
#define HIST_MOST UINT16_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T u32
#define HIST_K u32
#define HIST_KEYS load_u32_u32
#define HIST_LEAST 0
#define HIST_MOST UINT32_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T u64
#define HIST_K u64
#define HIST_KEYS load_u64_u64
#define HIST_LEAST 0
#define HIST_MOST UINT64_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T i8
#define HIST_K i8
#define HIST_KEYS load_i8_i8
#define HIST_LEAST INT8_MIN
#define HIST_MOST INT8_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T i16
#define HIST_K i16
#define HIST_KEYS load_i16_i16
#define HIST_LEAST INT16_MIN
#define HIST_MOST INT16_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T i32
#define HIST_K i32
#define HIST_KEYS load_i32_i32
#define HIST_LEAST INT32_MIN
#define HIST_MOST INT32_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"
#define HIST_T i64
#define HIST_K i64
#define HIST_KEYS load_i64_i64
#define HIST_LEAST INT64_MIN
#define HIST_MOST INT64_MAX
#define HIST_VALUE(k) (k)
#include "range_tmpl.h"

/* Keys of the finite numbers; NaN becomes one that is not. */
#define HIST_FINITE32 0x7f7fffff
#define HIST_FINITE64 INT64_C(0x7fefffffffffffff)
static inline vi32 hist_key_f16(const void *p) { return key_f32(load_f16_f32(p), INT32_MAX); }
static inline vi32 hist_key_bf16(const void *p) { return key_f32(load_bf16_f32(p), INT32_MAX); }
static inline vi32 hist_key_f32(const void *p) { return key_f32(load_f32_f32(p), INT32_MAX); }
static inline vi64 hist_key_f64(const void *p) { return key_f64(load_f64_f64(p), INT64_MAX); }
#define HIST_T f16
#define HIST_K i32
#define HIST_KEYS hist_key_f16
#define HIST_LEAST (-HIST_FINITE32 - 1)
#define HIST_MOST HIST_FINITE32
#define HIST_VALUE(k) hd_f32_of_key(k)
#include "range_tmpl.h"
#define HIST_T bf16
#define HIST_K i32
#define HIST_KEYS hist_key_bf16
#define HIST_LEAST (-HIST_FINITE32 - 1)
#define HIST_MOST HIST_FINITE32
#define HIST_VALUE(k) hd_f32_of_key(k)
#include "range_tmpl.h"
#define HIST_T f32
#define HIST_K i32
#define HIST_KEYS hist_key_f32
#define HIST_LEAST (-HIST_FINITE32 - 1)
#define HIST_MOST HIST_FINITE32
#define HIST_VALUE(k) hd_f32_of_key(k)
#include "range_tmpl.h"
#define HIST_T f64
#define HIST_K i64
#define HIST_KEYS hist_key_f64
#define HIST_LEAST (-HIST_FINITE64 - 1)
#define HIST_MOST HIST_FINITE64
#define HIST_VALUE(k) hd_f64_of_key(k)
#include "range_tmpl.h"
#undef HIST_FINITE32
#undef HIST_FINITE64

/* Where hist_store_pairs leaves the pair of lane k: even lanes first. */
#define HIST_PAIR(k) (2 * (((k)&1) * (LANES64 / 2) + ((k) >> 1)))

/* Tables with copies are small, and carried on as a whole now and then. */
static inline void hist_weigh_copies(struct hd_accumulator *table, const i64 *pairs,
                                     const u32 *index, size_t n) {
  enum { BYTES = HD_WEIGH_COPIES * sizeof *table };
  char *cells = (char *)table;
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k++)
      hist_add_pair((struct hd_accumulator *)(cells + (size_t)index[i + k] * BYTES) +
                        k % HD_WEIGH_COPIES,
                    pairs + (i + k / LANES64 * LANES64) * 2 + HIST_PAIR(k % LANES64));
  for (; i < n; i++)
    hist_add_pair((struct hd_accumulator *)(cells + (size_t)index[i] * BYTES) + i % HD_WEIGH_COPIES,
                  pairs + i / LANES64 * (2 * LANES64) + HIST_PAIR(i % LANES64));
}
static inline void hist_weigh_one(struct hd_accumulator *cell, const i64 *pair) {
  hist_add_pair(cell, pair);
  hd_accumulator_keep(cell);
}
static inline void hist_weigh_cells(struct hd_accumulator *table, const i64 *pairs,
                                    const u32 *index, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k++)
      hist_weigh_one(table + index[i + k],
                     pairs + (i + k / LANES64 * LANES64) * 2 + HIST_PAIR(k % LANES64));
  for (; i < n; i++)
    hist_weigh_one(table + index[i], pairs + i / LANES64 * (2 * LANES64) + HIST_PAIR(i % LANES64));
}

#define HIST_T u8
#include "weigh_tmpl.h"
#define HIST_T u16
#include "weigh_tmpl.h"
#define HIST_T u32
#include "weigh_tmpl.h"
#define HIST_T i8
#include "weigh_tmpl.h"
#define HIST_T i16
#include "weigh_tmpl.h"
#define HIST_T i32
#include "weigh_tmpl.h"
#define HIST_T f16
#include "weigh_tmpl.h"
#define HIST_T bf16
#include "weigh_tmpl.h"
#define HIST_T f32
#include "weigh_tmpl.h"
#define HIST_T f64
#include "weigh_tmpl.h"
#undef HIST_PAIR

static size_t hist_equal(const u32 *index, size_t n, u32 value) {
  vu32 sum = {0};
  size_t i = 0, count = 0;
  for (; i + LANES32 <= n; i += LANES32) sum -= (vu32)(load_u32_u32(index + i) == value);
  for (int k = 0; k < LANES32; k++) count += sum[k];
  for (; i < n; i++) count += index[i] == value;
  return count;
}

#define HIST_WHOLE(X) X(U16, u16) X(U32, u32) X(U64, u64) X(I16, i16) X(I32, i32) X(I64, i64)
#define HIST_BINNED(X) HIST_WHOLE(X) X(F16, f16) X(BF16, bf16) X(F32, f32) X(F64, f64)
#define HIST_EVEN(T, t) [HEDDLE_##T] = hist_even_##t,
#define HIST_CELLS(T, t) [HEDDLE_##T] = hist_cells_##t,
#define HIST_WEIGHTS(X) \
  X(U8, u8)             \
  X(U16, u16)           \
  X(U32, u32) X(I8, i8) X(I16, i16) X(I32, i32) X(F16, f16) X(BF16, bf16) X(F32, f32) X(F64, f64)
#define HIST_WEIGH(T, t) [HEDDLE_##T] = hist_weigh_##t,
#define HIST_INTEGER(T, t) [HEDDLE_##T] = hist_integer_##t,
#define HIST_RANGE(T, t, kind) [HEDDLE_##T] = hist_range_##t,

static const struct hd_cpu_histogram_kernels histogram_kernels = {
    .even = {HIST_BINNED(HIST_EVEN)},
    .cells = {HIST_BINNED(HIST_CELLS)},
    .integer = {HIST_WHOLE(HIST_INTEGER)},
    .range = {HD_TYPES(HIST_RANGE)},
    .weigh = {HIST_WEIGHTS(HIST_WEIGH)},
    .equal = hist_equal,
    .drop = hist_drop,
};

#undef HIST_RANGE
#undef HIST_WEIGH
#undef HIST_WEIGHTS
#undef HIST_INTEGER
#undef HIST_CELLS
#undef HIST_EVEN
#undef HIST_WHOLE
#undef HIST_BINNED
