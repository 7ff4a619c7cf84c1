/* total_key.h - totals that are keys of floats: min and max
 *
 * Result, Defines  as total.h
 * Method   a NaN has the key that wins, or where it is skipped the identity
 * Source   docs/order.md, rule 10 */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_KEY_H
#define HEDDLE_ORDER_DEVICE_TOTAL_KEY_H

#include "float_key.h"

typedef float_key total;

HD_DEVICE total total_op(total a, total b) {
#if HEDDLE_OP == HD_OP_MIN
  return b < a ? b : a;
#else
  return b > a ? b : a;
#endif
}

HD_DEVICE total total_identity(void) { return HEDDLE_OP == HD_OP_MIN ? KEY_MOST : KEY_LEAST; }

HD_DEVICE total total_of(element x) {
  return key_of(key_value(x), (HEDDLE_OP == HD_OP_MIN) == (HEDDLE_NAN == 1) ? KEY_MOST : KEY_LEAST);
}

#endif
