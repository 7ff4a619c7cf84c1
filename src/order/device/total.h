/* total.h - what is folded: the total that a verb and operator keep, and how two become one
 *
 * Result   total                 the type of a running total, 4 bytes or more
 *          total_identity()      e with total_op(e, t) == t to the bit; a custom operator's is the host's
 *          total_op(a, b)        a op b, a being what comes first in the array
 *          total_of(x)           one element as a total, mapped, the NaN policy applied: the one place
 *          total_of_product(x, y)  HD_DOT: the product, rounded once to the total's type (rule 8)
 *          total_at(x, index)    HD_ARGREDUCE, instead of total_of: the same with the element's place
 *          element_total(x, y, i)  element i of x as a total; of a dot times that of y
 * Defines  HEDDLE_TYPE   the number of a heddle_type (types.h)
 *          HEDDLE_VERB   HD_REDUCE (a scan's operator too), HD_ARGREDUCE, HD_DOT, HD_DESCRIBE or
 *                        HD_FIGURE
 *          HEDDLE_OP     a number of types.h; argreduce: HD_OP_MIN or HD_OP_MAX; dot: HD_OP_SUM
 *          HEDDLE_MAP    HD_MAP_VALUE or HD_MAP_SQUARE: what an element counts as (order/ops.def)
 *          HEDDLE_ACC    HD_F32 or HD_F64: what floats are summed and multiplied in; else unread
 *          HEDDLE_NAN    0 NaN propagate, 1 they are skipped
 *          HEDDLE_NARROW 1: sums and products of integers have 32 bits, where no result has more
 * Method   TOTAL_KIND, one of order/total.h's, chooses the file that has the rest.
 *          TOTAL_IS_ORDER_FREE     any association gives the same bits: integers, extremes, any and all
 *          TOTAL_COMMUTES    total_op(a, b) and total_op(b, a) have the same bits
 *          TOTAL_LANES       columns of a chunk (rules 1 and 2), TOTAL_CHUNK its elements;
 *                            order-independent totals have none
 * Limits   NaN among totals have any payload: result.h makes them canonical
 * Source   docs/order.md, rules 7 to 12 */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_H
#define HEDDLE_ORDER_DEVICE_TOTAL_H

#include "element.h"
#include "order/total.h"

/* The numbers of enum hd_verb: src/cuda/fold/plan.c asserts that they are. */
#define HD_REDUCE 0
#define HD_ARGREDUCE 1
#define HD_DOT 2
#define HD_DESCRIBE 3
#define HD_FIGURE 4

#define OP_IS_LOGICAL (OP_CLASS == HD_CLASS_LOGICAL)
#define OP_IS_ARITHMETIC (OP_CLASS == HD_CLASS_ARITHMETIC)
#define TOTAL_OF_NUMBERS                                                              \
  HD_TOTAL_OF_NUMBERS(OP_IS_LOGICAL, OP_IS_ARITHMETIC, HD_TYPE_IS_FLOAT(HEDDLE_TYPE), \
                      (OP_IS_ARITHMETIC ? HEDDLE_ACC : HEDDLE_TYPE) == HD_F64)
#define TOTAL_KIND                                                                                 \
  HD_TOTAL_KIND(HEDDLE_VERB == HD_ARGREDUCE, HEDDLE_VERB == HD_DESCRIBE, HEDDLE_VERB == HD_FIGURE, \
                HEDDLE_OP == HD_OP_CUSTOM, TOTAL_OF_NUMBERS)
#define TOTAL_IS_ORDER_FREE HD_TOTAL_IS_ORDER_FREE(TOTAL_KIND)
#define TOTAL_IS_NUMBER                                            \
  (TOTAL_KIND != HD_TOTAL_ARG && TOTAL_KIND != HD_TOTAL_MOMENTS && \
   TOTAL_KIND != HD_TOTAL_VARIANCE && TOTAL_KIND != HD_TOTAL_CUSTOM)
#define TOTAL_COMMUTES HD_TOTAL_COMMUTES(TOTAL_KIND)

#if TOTAL_KIND == HD_TOTAL_F32 || TOTAL_KIND == HD_TOTAL_F64 || TOTAL_KIND == HD_TOTAL_U64
#include "total_arithmetic.h"
#elif TOTAL_KIND == HD_TOTAL_KEY32 || TOTAL_KIND == HD_TOTAL_KEY64
#include "total_key.h"
#elif TOTAL_KIND == HD_TOTAL_INPUT
#include "total_input.h"
#elif TOTAL_KIND == HD_TOTAL_BOOL
#include "total_logical.h"
#elif TOTAL_KIND == HD_TOTAL_ARG
#include "total_arg.h"
#elif TOTAL_KIND == HD_TOTAL_MOMENTS
#include "total_moments.h"
#elif TOTAL_KIND == HD_TOTAL_VARIANCE
#include "total_variance.h"
#else
#include "total_custom.h"
#endif

#if TOTAL_KIND == HD_TOTAL_CUSTOM
#define TOTAL_LANES HEDDLE_LANES /* hd_lanes_of(sizeof(element)) */
#elif !TOTAL_IS_ORDER_FREE
#define TOTAL_LANES HD_LANES(TOTAL_KIND == HD_TOTAL_F32 ? 4 : 8)
#endif
#define TOTAL_ROWS HD_CHUNK_ROWS
#define TOTAL_CHUNK (TOTAL_ROWS * TOTAL_LANES)

#if TOTAL_KIND != HD_TOTAL_ARG
HD_DEVICE total element_total(const element *x, const element *y, u64 i) {
#if HEDDLE_VERB == HD_DOT
  return total_of_product(x[i], y[i]);
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
  return custom_element(x + i);
#else
  return total_of(x[i]);
#endif
}
#endif

#endif
