/* isa_tmpl.h - the table of every kernel, for the vectors of vec_<isa>.h, which is included first
 *
 * Parameter HD_KERNELS, the table's name. What is left out of a row is undefined, and the API says
 * so. The X-lists name each type's kernels once. */
#include "kernels.h"

#include "cpu/scan/scan_tmpl.h"

#include "cpu/fold/all.h"

#include "cpu/fold/arg_all.h"
#include "cpu/histogram/histogram_tmpl.h"

/* X(TYPE, in, lanes of a sum) */
#define INTEGERS(X) \
  X(U8, u8, u32)    \
  X(U16, u16, u32)  \
  X(U32, u32, u64)  \
  X(U64, u64, u64) X(I8, i8, i32) X(I16, i16, i32) X(I32, i32, u64) X(I64, i64, u64)
/* X(TYPE, in, bits) */
#define FLOATS(X) X(F16, f16, u16) X(BF16, bf16, u16) X(F32, f32, u32) X(F64, f64, u64)
#define NARROW_FLOATS(X) X(F16, f16) X(BF16, bf16) X(F32, f32)
#define BITS(X)  \
  X(U8, bits8)   \
  X(U16, bits16) \
  X(U32, bits32) X(U64, bits64) X(I8, bits8) X(I16, bits16) X(I32, bits32) X(I64, bits64)

#define SUM_INTEGER(T, in, lane) [HEDDLE_##T] = {&sum_##in##_##lane, &sum_##in##_##lane},
#define PROD_INTEGER(T, in, lane) [HEDDLE_##T] = {&prod_##in##_u64, &prod_##in##_u64},
#define DOT_INTEGER(T, in, lane) [HEDDLE_##T] = {&dot_##in##_u64, &dot_##in##_u64},
#define SUM_KEEP(T, in) [HEDDLE_##T] = {&sum_##in##_f32, &sum_##in##_f64},
#define SUM_SKIP(T, in) [HEDDLE_##T] = {&sum_##in##_f32_skip, &sum_##in##_f64_skip},
#define PROD_KEEP(T, in) [HEDDLE_##T] = {&prod_##in##_f32, &prod_##in##_f64},
#define PROD_SKIP(T, in) [HEDDLE_##T] = {&prod_##in##_f32_skip, &prod_##in##_f64_skip},
#define DOT_KEEP(T, in) [HEDDLE_##T] = {&dot_##in##_f32, &dot_##in##_f64},
#define DOT_SKIP(T, in) [HEDDLE_##T] = {&dot_##in##_f32_skip, &dot_##in##_f64_skip},
#define F64_ROW(kernel) [HEDDLE_F64] = {&kernel, &kernel},

#define SELECT_INTEGER(T, in, lane) \
  [HEDDLE_##T][HEDDLE_MIN] = &min_##in, [HEDDLE_##T][HEDDLE_MAX] = &max_##in, BITWISE(T, in)
#define BITWISE(T, in)                                                      \
  [HEDDLE_##T][HEDDLE_AND] = &and_##in, [HEDDLE_##T][HEDDLE_OR] = &or_##in, \
  [HEDDLE_##T][HEDDLE_XOR] = &xor_##in,
#define SELECT_KEEP(T, in, bits)                                              \
  [HEDDLE_##T][HEDDLE_MIN] = &min_##in, [HEDDLE_##T][HEDDLE_MAX] = &max_##in, \
  [HEDDLE_##T][HEDDLE_ANY] = &any_##in, [HEDDLE_##T][HEDDLE_ALL] = &all_##in,
#define SELECT_SKIP(T, in, bits)                                                            \
  [HEDDLE_##T][HEDDLE_MIN] = &min_##in##_skip, [HEDDLE_##T][HEDDLE_MAX] = &max_##in##_skip, \
  [HEDDLE_##T][HEDDLE_ANY] = &any_##in##_skip, [HEDDLE_##T][HEDDLE_ALL] = &all_##in,
#define TRUTH_INTEGER(T, bits) \
  [HEDDLE_##T][HEDDLE_ANY] = &any_##bits, [HEDDLE_##T][HEDDLE_ALL] = &all_##bits,

#define ARG_KEEP(T, in, x) [HEDDLE_##T] = {&argmin_##in, &argmax_##in},
#define ARG_SKIP(T, in, x) [HEDDLE_##T] = {&argmin_##in##_skip, &argmax_##in##_skip},
#define DESCRIBE_KEEP(T, in, x) [HEDDLE_##T] = &describe_##in,
#define DESCRIBE_SKIP(T, in, x) [HEDDLE_##T] = &describe_##in##_skip,

const struct hd_cpu_kernels HD_KERNELS = {
    .isa = VEC_ISA,
    .sum = {{INTEGERS(SUM_INTEGER) NARROW_FLOATS(SUM_KEEP) F64_ROW(sum_f64_f64)},
            {INTEGERS(SUM_INTEGER) NARROW_FLOATS(SUM_SKIP) F64_ROW(sum_f64_f64_skip)}},
    .prod = {{INTEGERS(PROD_INTEGER) NARROW_FLOATS(PROD_KEEP) F64_ROW(prod_f64_f64)},
             {INTEGERS(PROD_INTEGER) NARROW_FLOATS(PROD_SKIP) F64_ROW(prod_f64_f64_skip)}},
    .dot = {{INTEGERS(DOT_INTEGER) NARROW_FLOATS(DOT_KEEP) F64_ROW(dot_f64_f64)},
            {INTEGERS(DOT_INTEGER) NARROW_FLOATS(DOT_SKIP) F64_ROW(dot_f64_f64_skip)}},
    .select = {{INTEGERS(SELECT_INTEGER) BITS(TRUTH_INTEGER) FLOATS(SELECT_KEEP)},
               {INTEGERS(SELECT_INTEGER) BITS(TRUTH_INTEGER) FLOATS(SELECT_SKIP)}},
    .arg = {{INTEGERS(ARG_KEEP) FLOATS(ARG_KEEP)}, {INTEGERS(ARG_KEEP) FLOATS(ARG_SKIP)}},
    .describe = {{INTEGERS(DESCRIBE_KEEP) FLOATS(DESCRIBE_KEEP)},
                 {INTEGERS(DESCRIBE_KEEP) FLOATS(DESCRIBE_SKIP)}},
    .scan = &scan_kernels,
    .histogram = &histogram_kernels,
};
