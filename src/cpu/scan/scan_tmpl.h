/* scan_tmpl.h - every scan kernel of one ISA: the list that the templates are made for */
#include "moves.h"

#if VEC_BYTES == 64
#include "cpu/vec/scan_avx512.h"
#elif VEC_BYTES == 32
#include "cpu/vec/scan_avx2.h"
#else
#include "cpu/vec/scan_generic.h"
#endif

/* Arrays of vectors live in registers only where every index is a constant. */
#ifdef __clang__
#define SCAN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SCAN_UNROLL _Pragma("GCC unroll 16")
#endif

#if VEC_BYTES == 64
#define SCAN_LANES32 16
#define SCAN_LANES64 8
#elif VEC_BYTES == 32
#define SCAN_LANES32 8
#define SCAN_LANES64 4
#else
#define SCAN_LANES32 4
#define SCAN_LANES64 2
#endif

#define MOVE_T u32
#define MOVE_LANES SCAN_LANES32
#include "move_tmpl.h"
#define MOVE_T i32
#define MOVE_LANES SCAN_LANES32
#include "move_tmpl.h"
#define MOVE_T f32
#define MOVE_LANES SCAN_LANES32
#include "move_tmpl.h"
#define MOVE_T u64
#define MOVE_LANES SCAN_LANES64
#include "move_tmpl.h"
#define MOVE_T i64
#define MOVE_LANES SCAN_LANES64
#include "move_tmpl.h"
#define MOVE_T f64
#define MOVE_LANES SCAN_LANES64
#include "move_tmpl.h"

/* ---- floats ----------------------------------------------------------------------------------- */

#define SCAN_NAME scan_sum_f32
#define SCAN_A f32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) + (b))
#define SCAN_OPV(a, b) ((a) + (b))
#define SCAN_IDENTITY 0x80000000u
#define SCAN_CLEAN(v) canonical_f32(v)
#include "op_tmpl.h"
#define SCAN_NAME scan_prod_f32
#define SCAN_A f32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) * (b))
#define SCAN_OPV(a, b) ((a) * (b))
#define SCAN_IDENTITY 0x3f800000u
#define SCAN_CLEAN(v) canonical_f32(v)
#include "op_tmpl.h"
#define SCAN_NAME scan_sum_f64
#define SCAN_A f64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) + (b))
#define SCAN_OPV(a, b) ((a) + (b))
#define SCAN_IDENTITY UINT64_C(1) << 63
#define SCAN_CLEAN(v) canonical_f64(v)
#include "op_tmpl.h"
#define SCAN_NAME scan_prod_f64
#define SCAN_A f64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) * (b))
#define SCAN_OPV(a, b) ((a) * (b))
#define SCAN_IDENTITY UINT64_C(0x3ff0000000000000)
#define SCAN_CLEAN(v) canonical_f64(v)
#include "op_tmpl.h"

/* ---- integers, and keys of floats ------------------------------------------------------------- */

#define SCAN_NAME scan_sum_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) + (b))
#define SCAN_OPV(a, b) ((a) + (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_prod_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) * (b))
#define SCAN_OPV(a, b) ((a) * (b))
#define SCAN_IDENTITY 1
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_and_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) & (b))
#define SCAN_OPV(a, b) ((a) & (b))
#define SCAN_IDENTITY UINT32_MAX
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_or_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) | (b))
#define SCAN_OPV(a, b) ((a) | (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_xor_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((a) ^ (b))
#define SCAN_OPV(a, b) ((a) ^ (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_min_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((b) < (a) ? (b) : (a))
#define SCAN_OPV(a, b) lesser_u32(a, b)
#define SCAN_IDENTITY UINT32_MAX
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_max_u32
#define SCAN_A u32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((b) > (a) ? (b) : (a))
#define SCAN_OPV(a, b) greater_u32(a, b)
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_min_i32
#define SCAN_A i32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((b) < (a) ? (b) : (a))
#define SCAN_OPV(a, b) lesser_i32(a, b)
#define SCAN_IDENTITY INT32_MAX
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_max_i32
#define SCAN_A i32
#define SCAN_LANES SCAN_LANES32
#define SCAN_OP(a, b) ((b) > (a) ? (b) : (a))
#define SCAN_OPV(a, b) greater_i32(a, b)
#define SCAN_IDENTITY UINT64_C(1) << 31
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_sum_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) + (b))
#define SCAN_OPV(a, b) ((a) + (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_prod_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) * (b))
#define SCAN_OPV(a, b) ((a) * (b))
#define SCAN_IDENTITY 1
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_and_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) & (b))
#define SCAN_OPV(a, b) ((a) & (b))
#define SCAN_IDENTITY UINT64_MAX
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_or_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) | (b))
#define SCAN_OPV(a, b) ((a) | (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_xor_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((a) ^ (b))
#define SCAN_OPV(a, b) ((a) ^ (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_min_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((b) < (a) ? (b) : (a))
#define SCAN_OPV(a, b) lesser_u64(a, b)
#define SCAN_IDENTITY UINT64_MAX
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_max_u64
#define SCAN_A u64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((b) > (a) ? (b) : (a))
#define SCAN_OPV(a, b) greater_u64(a, b)
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_min_i64
#define SCAN_A i64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((b) < (a) ? (b) : (a))
#define SCAN_OPV(a, b) lesser_i64(a, b)
#define SCAN_IDENTITY INT64_MAX
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"
#define SCAN_NAME scan_max_i64
#define SCAN_A i64
#define SCAN_LANES SCAN_LANES64
#define SCAN_OP(a, b) ((b) > (a) ? (b) : (a))
#define SCAN_OPV(a, b) greater_i64(a, b)
#define SCAN_IDENTITY UINT64_C(1) << 63
#define SCAN_CLEAN(v) (v)
#include "op_tmpl.h"

#include "convert.h"

/* ---- the table -------------------------------------------------------------------------------- */

#define SCAN_ARITHMETIC(T) [HEDDLE_SUM] = &scan_sum_##T, [HEDDLE_PROD] = &scan_prod_##T
#define SCAN_EXTREMES(T) [HEDDLE_MIN] = &scan_min_##T, [HEDDLE_MAX] = &scan_max_##T
#define SCAN_BITS(T) \
  [HEDDLE_AND] = &scan_and_##T, [HEDDLE_OR] = &scan_or_##T, [HEDDLE_XOR] = &scan_xor_##T

#ifdef VEC_STREAMS
static void scan_stream(char *line, const char *stage, size_t bytes) {
  stream_lines(line, stage, bytes);
}
static void scan_fence(void) { stream_fence(); }
#else
#define scan_stream NULL
#define scan_fence NULL
#endif

static const struct hd_cpu_scan_kernels scan_kernels = {
    .op = {[HD_SCAN_U32] = {SCAN_ARITHMETIC(u32), SCAN_BITS(u32), SCAN_EXTREMES(u32)},
           [HD_SCAN_U64] = {SCAN_ARITHMETIC(u64), SCAN_BITS(u64), SCAN_EXTREMES(u64)},
           [HD_SCAN_I32] = {SCAN_EXTREMES(i32)},
           [HD_SCAN_I64] = {SCAN_EXTREMES(i64)},
           [HD_SCAN_F32] = {SCAN_ARITHMETIC(f32)},
           [HD_SCAN_F64] = {SCAN_ARITHMETIC(f64)}},
    .load = SCAN_LOADS,
    .store = SCAN_STORES,
    .stream = scan_stream,
    .fence = scan_fence,
};
