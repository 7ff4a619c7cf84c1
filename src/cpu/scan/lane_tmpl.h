/* lane_tmpl.h - every scan kernel of one lane type: scan_OP_LANE
 *
 * Parameters  SCAN_A            lane type: u32, u64, i32, i64, f32 or f64
 *             SCAN_BITS         32 or 64
 *             SCAN_IS_FLOAT, SCAN_IS_UNSIGNED  0 or 1
 *             SCAN_RAW          the unsigned integer of its size
 *             SCAN_LEAST, SCAN_MOST  of an integer
 * Signed lanes have min and max only: sums and bits wrap alike in unsigned ones. */
#if SCAN_BITS == 64
#define SCAN_LANES SCAN_LANES64
#else
#define SCAN_LANES SCAN_LANES32
#endif
#define MOVE_T SCAN_A
#define MOVE_BITS SCAN_BITS
#define MOVE_LANES SCAN_LANES
#include "move_tmpl.h"

#define SCAN_KERNEL_(name, a) scan_##name##_##a
#define SCAN_KERNEL__(name, a) SCAN_KERNEL_(name, a)
#define SCAN_KERNEL(name) SCAN_KERNEL__(name, SCAN_A)
#define SCAN_WORD_(name, a) name##_##a
#define SCAN_WORD__(name, a) SCAN_WORD_(name, a)
#define SCAN_WORD(name) SCAN_WORD__(name, SCAN_A)

#if SCAN_IS_FLOAT
#if SCAN_BITS == 32 && defined(VEC_HAS_F16)
#define SCAN_NARROW
#endif
#define SCAN_NAME SCAN_KERNEL(sum)
#define SCAN_OP(a, b) ((a) + (b))
#define SCAN_OPV(a, b) ((a) + (b))
#define SCAN_IDENTITY SCAN_WORD(scan_minus_zero)
#define SCAN_CLEAN(v) SCAN_WORD(canonical)(v)
#define SCAN_ORDERED 1
#include "op_tmpl.h"
#define SCAN_NAME SCAN_KERNEL(prod)
#define SCAN_OP(a, b) ((a) * (b))
#define SCAN_OPV(a, b) ((a) * (b))
#define SCAN_IDENTITY SCAN_WORD(scan_one)
#define SCAN_CLEAN(v) SCAN_WORD(canonical)(v)
#define SCAN_ORDERED 1
#include "op_tmpl.h"
#else
#define SCAN_NAME SCAN_KERNEL(min)
#define SCAN_OP(a, b) ((b) < (a) ? (b) : (a))
#define SCAN_OPV(a, b) SCAN_WORD(lesser)(a, b)
#define SCAN_IDENTITY (SCAN_RAW) SCAN_MOST
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#define SCAN_NAME SCAN_KERNEL(max)
#define SCAN_OP(a, b) ((b) > (a) ? (b) : (a))
#define SCAN_OPV(a, b) SCAN_WORD(greater)(a, b)
#define SCAN_IDENTITY (SCAN_RAW) SCAN_LEAST
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#endif

#if SCAN_IS_UNSIGNED
#define SCAN_NAME SCAN_KERNEL(sum)
#define SCAN_OP(a, b) ((a) + (b))
#define SCAN_OPV(a, b) ((a) + (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#define SCAN_NAME SCAN_KERNEL(prod)
#define SCAN_OP(a, b) ((a) * (b))
#define SCAN_OPV(a, b) ((a) * (b))
#define SCAN_IDENTITY 1
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#define SCAN_NAME SCAN_KERNEL(and)
#define SCAN_OP(a, b) ((a) & (b))
#define SCAN_OPV(a, b) ((a) & (b))
#define SCAN_IDENTITY SCAN_MOST
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#define SCAN_NAME SCAN_KERNEL(or)
#define SCAN_OP(a, b) ((a) | (b))
#define SCAN_OPV(a, b) ((a) | (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#define SCAN_NAME SCAN_KERNEL(xor)
#define SCAN_OP(a, b) ((a) ^ (b))
#define SCAN_OPV(a, b) ((a) ^ (b))
#define SCAN_IDENTITY 0
#define SCAN_CLEAN(v) (v)
#define SCAN_ORDERED 0
#include "op_tmpl.h"
#endif

#undef SCAN_NARROW
#undef SCAN_LANES
#undef SCAN_KERNEL_
#undef SCAN_KERNEL__
#undef SCAN_KERNEL
#undef SCAN_WORD_
#undef SCAN_WORD__
#undef SCAN_WORD
