/* isa_tmpl.h - the table of every kernel, for the vectors of vec/<isa>.h, which is included first
 *
 * Parameter HD_KERNELS, the table's name. What is left out of a row is undefined, and the API says
 * so. The X-lists name each type's kernels once. */
#include "kernels.h"

#include "cpu/scan/scan_tmpl.h"

#include "cpu/fold/all.h"

#include "cpu/fold/arg_all.h"

#include "cpu/exact/all.h"

#include "cpu/histogram/histogram_tmpl.h"
#include "cpu/rank/all.h"
#include "cpu/sort/sort_tmpl.h"

/* Each takes a row of types.def, whose columns it names as far as it needs them. */
#define ARITHMETIC_INTEGER(T, in, f, b, s, acc, ...) \
  [HEDDLE_##T] = {&arithmetic_##in##_##acc, &arithmetic_##in##_##acc},
#define ARITHMETIC_FLOAT(T, in, f, b, s, acc, ...) \
  [HEDDLE_##T] = {&arithmetic_##in##_##acc, &arithmetic_##in##_f64},

#define MINMAX_KEEP(T, in, ...) \
  [HEDDLE_##T][HEDDLE_MIN] = &min_##in, [HEDDLE_##T][HEDDLE_MAX] = &max_##in,
#define MINMAX_SKIP(T, in, ...) \
  [HEDDLE_##T][HEDDLE_MIN] = &min_##in##_skip, [HEDDLE_##T][HEDDLE_MAX] = &max_##in##_skip,
#define BITWISE(T, in, ...)                                                 \
  [HEDDLE_##T][HEDDLE_AND] = &and_##in, [HEDDLE_##T][HEDDLE_OR] = &or_##in, \
  [HEDDLE_##T][HEDDLE_XOR] = &xor_##in,
#define LOGICAL_INTEGER(T, in, f, b, s, a, l, k, v, least, most, raw, inf) \
  [HEDDLE_##T][HEDDLE_ANY] = &any_##raw, [HEDDLE_##T][HEDDLE_ALL] = &all_##raw,
#define LOGICAL_KEEP(T, in, ...) \
  [HEDDLE_##T][HEDDLE_ANY] = &any_##in, [HEDDLE_##T][HEDDLE_ALL] = &all_##in,
#define LOGICAL_SKIP(T, in, ...) \
  [HEDDLE_##T][HEDDLE_ANY] = &any_##in##_skip, [HEDDLE_##T][HEDDLE_ALL] = &all_##in,
#define SELECT_INTEGERS \
  HD_INTEGER_TYPES(MINMAX_KEEP) HD_INTEGER_TYPES(BITWISE) HD_INTEGER_TYPES(LOGICAL_INTEGER)

#define ARG_KEEP(T, in, ...) [HEDDLE_##T] = {&argmin_##in, &argmax_##in},
#define ARG_SKIP(T, in, ...) [HEDDLE_##T] = {&argmin_##in##_skip, &argmax_##in##_skip},
#define DESCRIBE_KEEP(T, in, ...) [HEDDLE_##T] = &figures_##in,
#define DESCRIBE_SKIP(T, in, ...) [HEDDLE_##T] = &figures_##in##_skip,
#define EXACT(T, in, ...) [HEDDLE_##T] = &exact_##in,

const struct hd_cpu_kernels HD_KERNELS = {
    .isa = VEC_ISA,
    .arithmetic = {HD_INTEGER_TYPES(ARITHMETIC_INTEGER) HD_FLOAT_TYPES(ARITHMETIC_FLOAT)},
    .select = {{SELECT_INTEGERS HD_FLOAT_TYPES(MINMAX_KEEP) HD_FLOAT_TYPES(LOGICAL_KEEP)},
               {SELECT_INTEGERS HD_FLOAT_TYPES(MINMAX_SKIP) HD_FLOAT_TYPES(LOGICAL_SKIP)}},
    .arg = {{HD_TYPES(ARG_KEEP)}, {HD_INTEGER_TYPES(ARG_KEEP) HD_FLOAT_TYPES(ARG_SKIP)}},
    .describe = {{HD_TYPES(DESCRIBE_KEEP)},
                 {HD_INTEGER_TYPES(DESCRIBE_KEEP) HD_FLOAT_TYPES(DESCRIBE_SKIP)}},
    .exact = {HD_FLOAT_TYPES(EXACT)},
    .gather = {gather_u8, gather_u16, gather_u32, gather_u64},
    .transpose = {transpose_u8, transpose_u16, transpose_u32, transpose_u64},
    .scan = &scan_kernels,
    .histogram = &histogram_kernels,
    .sort = &sort_kernels,
    .rank = &rank_kernels,
};
