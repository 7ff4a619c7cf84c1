/* total_input.h - totals that are integers of the input: min, max, and, or, xor
 *
 * Result, Defines  as total.h
 * Method   an element of fewer bytes is made 4, with its sign */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_INPUT_H
#define HEDDLE_ORDER_DEVICE_TOTAL_INPUT_H

#if ELEMENT_BYTES == 8
typedef element total;
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
typedef i32 total;
#else
typedef u32 total;
#endif

HD_DEVICE total total_op(total a, total b) {
#if HEDDLE_OP == HD_OP_MIN
  return b < a ? b : a;
#elif HEDDLE_OP == HD_OP_MAX
  return b > a ? b : a;
#elif HEDDLE_OP == HD_OP_AND
  return a & b;
#elif HEDDLE_OP == HD_OP_OR
  return a | b;
#else
  return a ^ b;
#endif
}

/* The least element, the greatest, or one of all bits or none. */
HD_DEVICE total total_identity(void) {
#if HEDDLE_OP == HD_OP_AND
  return (total)(element) ~(element)0;
#elif OP_CLASS == HD_CLASS_BITWISE
  return (total)0;
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  return (total)(element)(HEDDLE_OP == HD_OP_MIN ? (1ull << (8 * ELEMENT_BYTES - 1)) - 1
                                                 : 1ull << (8 * ELEMENT_BYTES - 1));
#else
  return (total)(element)(HEDDLE_OP == HD_OP_MIN ? ~0ull : 0ull);
#endif
}

HD_DEVICE total total_of(element x) { return (total)x; }

#endif
