/* values.h - accumulators of floats as the values that they stand for, by vectors
 *
 * void values_F(from, n, to), values_negated_F:       sums and products made canonical (rule 12)
 * void values_least_I(from, n, to), values_greatest_I: keys that become floats (rule 10; order/total.h has
 *                                                      the same of one key)
 * void lanes_least_I(totals, n), lanes_greatest_I:     keys as the lanes that minmax_float_tmpl.h has for
 *                                                      them: values, of max the negated ones
 *
 * Each takes n of them, at least a vector; the last vector overlaps the one before, but for the lanes of
 * max, which are whole vectors. */
#include "cpu/isa/kernels.h"

#define VALUES_F f32
#define VALUES_I i32
#define VALUES_NAN HD_NAN_F32
#define VALUES_INFINITY 0x7f800000u
#define VALUES_SIGN 0x80000000u
#define VALUES_MOST HD_I32_MAX
#include "values_tmpl.h"

#define VALUES_F f64
#define VALUES_I i64
#define VALUES_NAN HD_NAN_F64
#define VALUES_INFINITY ((u64)0x7ff << 52)
#define VALUES_SIGN ((u64)1 << 63)
#define VALUES_MOST HD_I64_MAX
#include "values_tmpl.h"
