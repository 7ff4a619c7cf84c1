/* scan_tmpl.h - every scan kernel of one ISA: the list that the templates are made for */
#include "moves.h"
#include "narrow.h"

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

/* Identities of float operators as bits. */
#define scan_minus_zero_f32 0x80000000u
#define scan_minus_zero_f64 (UINT64_C(1) << 63)
#define scan_one_f32 0x3f800000u
#define scan_one_f64 UINT64_C(0x3ff0000000000000)

#define SCAN_A EACH(NAME)
#define SCAN_BITS EACH(BITS)
#define SCAN_IS_FLOAT EACH_IS(FLOAT)
#define SCAN_IS_UNSIGNED EACH_IS(UNSIGNED)
#define SCAN_RAW EACH(RAW)
#define SCAN_LEAST EACH(LEAST)
#define SCAN_MOST EACH(MOST)
#define EACH_WHERE EACH(BITS) >= 32
#define EACH_TEMPLATE "cpu/scan/lane_tmpl.h"
#include "order/each_type.h"
#undef SCAN_A
#undef SCAN_BITS
#undef SCAN_IS_FLOAT
#undef SCAN_IS_UNSIGNED
#undef SCAN_RAW
#undef SCAN_LEAST
#undef SCAN_MOST

#include "convert.h"

/* ---- the table -------------------------------------------------------------------------------- */

#define SCAN_ARITHMETIC(T) [HEDDLE_SUM] = &scan_sum_##T, [HEDDLE_PROD] = &scan_prod_##T
#define SCAN_MINMAX(T) [HEDDLE_MIN] = &scan_min_##T, [HEDDLE_MAX] = &scan_max_##T
#define SCAN_BITWISE(T) \
  [HEDDLE_AND] = &scan_and_##T, [HEDDLE_OR] = &scan_or_##T, [HEDDLE_XOR] = &scan_xor_##T

#ifdef VEC_NONTEMPORAL
static void scan_lines(char *line, const char *stage, size_t bytes) {
  nontemporal_lines(line, stage, bytes);
}
static void scan_fence(void) { nontemporal_fence(); }
#else
#define scan_lines NULL
#define scan_fence NULL
#endif

#ifdef VEC_HAS_F16
#define SCAN_NARROW_OF(op) \
  { [HEDDLE_F16] = &scan_##op##_f32_format_f16, [HEDDLE_BF16] = &scan_##op##_f32_format_bf16 }
#else
#define SCAN_NARROW_OF(op) \
  { NULL }
#endif

static const struct hd_cpu_scan_kernels scan_kernels = {
    .op = {[HD_SCAN_U32] = {SCAN_ARITHMETIC(u32), SCAN_BITWISE(u32), SCAN_MINMAX(u32)},
           [HD_SCAN_U64] = {SCAN_ARITHMETIC(u64), SCAN_BITWISE(u64), SCAN_MINMAX(u64)},
           [HD_SCAN_I32] = {SCAN_MINMAX(i32)},
           [HD_SCAN_I64] = {SCAN_MINMAX(i64)},
           [HD_SCAN_F32] = {SCAN_ARITHMETIC(f32)},
           [HD_SCAN_F64] = {SCAN_ARITHMETIC(f64)}},
    .load = SCAN_LOADS,
    .store = SCAN_STORES,
    .narrow = {[HEDDLE_SUM] = SCAN_NARROW_OF(sum), [HEDDLE_PROD] = SCAN_NARROW_OF(prod)},
    .lines = scan_lines,
    .fence = scan_fence,
};
