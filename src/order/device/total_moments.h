/* total_moments.h - totals of describe
 *
 * Result   total_of, total_op, total_identity as total.h; moments_overflow(t): a chunk's sum
 *          overflows, and all of its values that count are finite
 * Defines  as total.h
 * Source   docs/order.md, rule 9; Chan, Golub and LeVeque 1979, Pebay 2008, in order/moments.h */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_MOMENTS_H
#define HEDDLE_ORDER_DEVICE_TOTAL_MOMENTS_H

#include "order/moments.h"

typedef struct hd_moments total;

HD_DEVICE total total_op(total a, total b) {
  hd_moments_merge(&a, &b);
  return a;
}
HD_DEVICE total total_identity(void) {
  total none;
  hd_moments_empty(&none);
  return none;
}
HD_DEVICE total total_of(element x) {
  total t;
  hd_moments_one(&t, to_f64(x), HEDDLE_NAN);
  return t;
}

HD_DEVICE bool moments_overflow(const total *t) {
  return HEDDLE_TYPE == HD_F64 && t->sum - t->sum != 0 && !t->infinite && (HEDDLE_NAN || !t->nan);
}

#endif
