/* total_logical.h - totals that are 0 or 1: any and all
 *
 * Result, Defines  as total.h
 * Source   docs/order.md, rule 10 */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_LOGICAL_H
#define HEDDLE_ORDER_DEVICE_TOTAL_LOGICAL_H

typedef u32 total;

HD_DEVICE total total_op(total a, total b) { return HEDDLE_OP == HD_OP_ALL ? a & b : a | b; }
HD_DEVICE total total_identity(void) { return HEDDLE_OP == HD_OP_ALL ? 1 : 0; }

/* Non-zero, which a NaN is; any that skips NaN leaves them out, all has them as true anyway. */
HD_DEVICE total total_of(element x) {
#if HEDDLE_TYPE == HD_F16 || HEDDLE_TYPE == HD_BF16
  const u32 bits = x & 0x7fffu, infinity = HEDDLE_TYPE == HD_F16 ? 0x7c00u : 0x7f80u;
#elif HEDDLE_TYPE == HD_F32
  const u32 bits = hd_bits_f32(x) & 0x7fffffffu, infinity = 0x7f800000u;
#elif HEDDLE_TYPE == HD_F64
  const u64 bits = hd_bits_f64(x) & HD_I64_MAX, infinity = 0x7ff0000000000000ull;
#else
  const element bits = x;
#endif
#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE) && HEDDLE_NAN && HEDDLE_OP == HD_OP_ANY
  return bits != 0 && bits <= infinity;
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  (void)infinity;
  return bits != 0;
#else
  return bits != 0;
#endif
}

#endif
