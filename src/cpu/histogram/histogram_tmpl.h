/* histogram_tmpl.h - every histogram kernel of one ISA; included once, after the vocabulary
 *
 * Result  histogram_kernels, the table that kernels.h declares.
 * Types   16-bit and smaller integers, f16, bf16 and f32 compare as f32, to which they convert
 *         exactly; the others as f64. Types of 8 bits need no index kernel: they have 256 values. */
#include "kernels.h"

/* The integers of a float's width, and the key of its greatest finite number. */
#define hist_i_of_f32 i32
#define hist_i_of_f64 i64
#define hist_u_of_f32 u32
#define hist_u_of_f64 u64
#define hist_finite_f32 0x7f7fffff
#define hist_finite_f64 INT64_C(0x7fefffffffffffff)

static inline vi32 hist_widen_i32(const u32 *p) { return (vi32)load_u32_u32(p); }
static inline vi64 hist_widen_i64(const u32 *p) { return (vi64)load_u32_u64(p); }

#define HIST_T EACH(NAME)
#define HIST_IS_FLOAT EACH_IS(FLOAT)
#define HIST_F EACH(VALUE)
#define HIST_LANE EACH(LANE)
#define HIST_BITS EACH(BITS)
#define EACH_WHERE EACH(BITS) > 8
#define EACH_TEMPLATE "cpu/histogram/index_tmpl.h"
#include "order/each_type.h"
#undef HIST_LANE
#undef HIST_BITS

#define HIST_U EACH(RAW)
#define EACH_WHERE !EACH_IS(FLOAT) && EACH(BITS) > 8
#define EACH_TEMPLATE "cpu/histogram/integer_tmpl.h"
#include "order/each_type.h"
#undef HIST_U

#define HIST_KEY EACH(KEY)
#define HIST_LEAST EACH(LEAST)
#define HIST_MOST EACH(MOST)
#define EACH_WHERE 1
#define EACH_TEMPLATE "cpu/histogram/range_tmpl.h"
#include "order/each_type.h"
#undef HIST_KEY
#undef HIST_LEAST
#undef HIST_MOST
#undef HIST_IS_FLOAT
#undef HIST_F

enum { HIST_PAGE = 4096, HIST_PAIRS = 2 * HD_WEIGH_GROUP * sizeof(i64) };

/* Where in `room` a group's pairs are written: apart, within a page, from its weights and indices. A load
 * waits for an earlier store whose address has the same low bits. */
static inline i64 *hist_pairs_room(char *room, const char *weights, const u32 *index) {
  const uintptr_t indices = HD_WEIGH_GROUP * sizeof *index;
  uintptr_t place = (uintptr_t)weights + HIST_PAGE / 2;
  if (((uintptr_t)index + indices - place) % HIST_PAGE < HIST_PAIRS + indices) place += HIST_PAIRS;
  return (i64 *)(void *)(room + (place - (uintptr_t)room) % HIST_PAGE / 64 * 64);
}

/* Where hist_store_pairs leaves the pair of lane k: even lanes first. */
#define HIST_PAIR(k) (2 * (((k)&1) * (LANES64 / 2) + ((k) >> 1)))

/* Tables that are carried on as a whole, of so many copies. */
static inline __attribute__((always_inline)) void hist_weigh_whole(struct hd_accumulator *table,
                                                                   const i64 *pairs,
                                                                   const u32 *index, size_t n,
                                                                   size_t copies) {
  const size_t each = copies * sizeof *table;
  char *bytes = (char *)table;
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k++)
      hist_add_pair((struct hd_accumulator *)(bytes + (size_t)index[i + k] * each) + k % copies,
                    pairs + (i + k / LANES64 * LANES64) * 2 + HIST_PAIR(k % LANES64));
  for (; i < n; i++)
    hist_add_pair((struct hd_accumulator *)(bytes + (size_t)index[i] * each) + i % copies,
                  pairs + i / LANES64 * (2 * LANES64) + HIST_PAIR(i % LANES64));
}
static inline void hist_weigh_one(struct hd_accumulator *accumulator, const i64 *pair) {
  hist_add_pair(accumulator, pair);
  hd_accumulator_keep(accumulator);
}
static inline void hist_weigh_accumulators(struct hd_accumulator *table, const i64 *pairs,
                                           const u32 *index, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k++)
      hist_weigh_one(table + index[i + k],
                     pairs + (i + k / LANES64 * LANES64) * 2 + HIST_PAIR(k % LANES64));
  for (; i < n; i++)
    hist_weigh_one(table + index[i], pairs + i / LANES64 * (2 * LANES64) + HIST_PAIR(i % LANES64));
}

/* A group's pairs into a table of any kind. */
static inline __attribute__((always_inline)) void
hist_weigh_pairs(const struct hd_cpu_weighing *p, const i64 *pairs, const u32 *index, size_t n) {
  if (p->copies)
    hist_weigh_whole(p->table, pairs, index, n, HD_WEIGH_COPIES);
  else if (p->whole)
    hist_weigh_whole(p->table, pairs, index, n, 1);
  else
    hist_weigh_accumulators(p->table, pairs, index, n);
}

#define EACH_WHERE EACH_IS(FLOAT) || EACH(BITS) < 64
#define EACH_TEMPLATE "cpu/histogram/weigh_tmpl.h"
#include "order/each_type.h"

#define HIST_BITS EACH(BITS)
#define EACH_WHERE EACH_IS(FLOAT) && EACH(INF) != 0xf800 /* f16, of which no weight rounds */
#define EACH_TEMPLATE "cpu/histogram/weigh_exact_tmpl.h"
#include "order/each_type.h"
#undef HIST_BITS
#undef HIST_T
#undef HIST_PAIR

static size_t hist_equal(const u32 *index, size_t n, u32 value) {
  vu32 sum = {0};
  size_t i = 0, count = 0;
  for (; i + LANES32 <= n; i += LANES32) sum -= (vu32)(load_u32_u32(index + i) == value);
  for (int k = 0; k < LANES32; k++) count += sum[k];
  for (; i < n; i++) count += index[i] == value;
  return count;
}

#include "axes/combine_tmpl.h"

/* Types of 8 bits have 256 values and need no lookup; a weight has to be an f64. */
#define HIST_EVEN(T, t, f, bits, ...) HD_ABOVE_8(bits, [HEDDLE_##T] = hist_even_##t, )
#define HIST_BUCKETS(T, t, f, bits, ...) HD_ABOVE_8(bits, [HEDDLE_##T] = hist_buckets_##t, )
#define HIST_INTEGER(T, t, f, bits, ...) HD_ABOVE_8(bits, [HEDDLE_##T] = hist_integer_##t, )
#define HIST_RANGE(T, t, ...) [HEDDLE_##T] = hist_range_##t,
#define HIST_WEIGH(T, t, ...) [HEDDLE_##T] = hist_weigh_##t,
#define HIST_WEIGH_INTEGER(T, t, f, bits, ...) HD_BELOW_64(bits, [HEDDLE_##T] = hist_weigh_##t, )

static const struct hd_cpu_histogram_kernels histogram_kernels = {
    .even = {HD_TYPES(HIST_EVEN)},
    .buckets = {HD_TYPES(HIST_BUCKETS)},
    .integer = {HD_INTEGER_TYPES(HIST_INTEGER)},
    .range = {HD_TYPES(HIST_RANGE)},
    .weigh = {HD_INTEGER_TYPES(HIST_WEIGH_INTEGER) HD_FLOAT_TYPES(HIST_WEIGH)},
    .weigh_exact = {[HEDDLE_BF16] = hist_weigh_exact_bf16,
                    [HEDDLE_F32] = hist_weigh_exact_f32,
                    [HEDDLE_F64] = hist_weigh_exact_f64},
    .equal = hist_equal,
    .drop = hist_drop,
    .axis = hist_axis,
    .axis_flow = hist_axis_flow,
    .axis_end = hist_axis_end,
};
