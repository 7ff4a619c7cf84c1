/* total_variance.h - totals of a mean or a variance alone: count, mean and squares of deviations
 *
 * Result   total_of, total_op, total_identity as total.h
 *          total_figure(t, figure, ddof)  what is asked for (order/moments.h)
 * Defines  as total.h
 * Method   Those of describe without what no merge of these three reads. A value that is not finite makes
 *          the squares NaN, and so the variance
 * Source   docs/order.md, rule 9 */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_VARIANCE_H
#define HEDDLE_ORDER_DEVICE_TOTAL_VARIANCE_H

#include "order/moments.h"

typedef struct hd_variance total;

HD_DEVICE total total_op(total a, total b) {
  hd_variance_merge(&a, &b, HEDDLE_TYPE == HD_F64);
  return a;
}
HD_DEVICE total total_identity(void) {
  total none;
  none.n = none.mean = none.m2 = 0;
  return none;
}
HD_DEVICE total total_of(element x) {
  const f64 e = to_f64(x);
  total t = total_identity();
  if (HEDDLE_NAN && !(e == e)) return t;
  t.n = 1, t.mean = e, t.m2 = e - e;
  return t;
}
HD_DEVICE f64 total_figure(total t, u32 figure, f64 ddof) {
  return hd_variance_figure(&t, figure, ddof);
}

#endif
