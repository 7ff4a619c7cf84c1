/* total.h - what is folded: the total that a verb and operator keep, and how two become one
 *
 * Result   total                 the type of a running total, 4 bytes or more
 *          total_identity()      e with total_op(e, t) == t to the bit (built-in operators; a
 *          custom
 *                                one has its identity from the host)
 *          total_op(a, b)        a op b, a being what comes first in the array
 *          total_of(x)           one element as a total: mapped, the NaN policy applied
 *          total_of_product(x, y)  HD_DOT: the product, rounded once to the total's type (rule 8)
 *          total_at(x, index)    HD_ARGREDUCE: the same with the element's place
 * Defines  HEDDLE_TYPE   as element.h has it
 *          HEDDLE_VERB   HD_REDUCE (a scan's operator too), HD_ARGREDUCE, HD_DOT or HD_DESCRIBE
 *          HEDDLE_OP     HD_OP_SUM .. HD_OP_CUSTOM; argreduce: HD_OP_MIN or HD_OP_MAX; dot:
 *          HD_OP_SUM
 *          HEDDLE_MAP    HD_MAP_VALUE or HD_MAP_SQUARE: what an element counts as (order/ops.def)
 *          HEDDLE_ACC    HD_F32 or HD_F64: what floats are summed and multiplied in; else unread
 *          HEDDLE_NAN    0 NaN propagate, 1 they are skipped
 *          HEDDLE_NARROW 1: sums and products of integers have 32 bits, where no result has more
 * Method   TOTAL_KIND says what a total is (HD_TOTAL_...), as enum hd_total does on a CPU.
 *          Extremes of floats are integer keys; a NaN has the key that wins, or the identity.
 *          TOTAL_IS_ORDER_FREE     any association gives the same bits: integers, extremes, any and all
 *          TOTAL_COMMUTES    total_op(a, b) and total_op(b, a) have the same bits
 *          TOTAL_LANES       columns of a chunk (rules 1 and 2), TOTAL_CHUNK its elements; free
 *                            totals have none
 * Limits   NaN among totals have any payload: result.h makes them canonical
 * Source   docs/order.md, rules 7 to 12; moments: Chan, Golub and LeVeque 1979, Pebay 2008 */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_H
#define HEDDLE_ORDER_DEVICE_TOTAL_H

#include "element.h"
#include "order/ops.def"
#include "order/total.h"

#define OP_IS_LOGICAL (HEDDLE_OP == HD_OP_ANY || HEDDLE_OP == HD_OP_ALL)
#define OP_IS_ARITHMETIC (HEDDLE_OP == HD_OP_SUM || HEDDLE_OP == HD_OP_PROD)
#define TOTAL_OF_NUMBERS                                                              \
  HD_TOTAL_OF_NUMBERS(OP_IS_LOGICAL, OP_IS_ARITHMETIC, HD_TYPE_IS_FLOAT(HEDDLE_TYPE), \
                      (OP_IS_ARITHMETIC ? HEDDLE_ACC : HEDDLE_TYPE) == HD_F64)
#define TOTAL_KIND                                                       \
  HD_TOTAL_KIND(HEDDLE_VERB == HD_ARGREDUCE, HEDDLE_VERB == HD_DESCRIBE, \
                HEDDLE_OP == HD_OP_CUSTOM, TOTAL_OF_NUMBERS)
#define TOTAL_IS_ORDER_FREE HD_TOTAL_IS_ORDER_FREE(TOTAL_KIND)
#define TOTAL_COMMUTES HD_TOTAL_COMMUTES(TOTAL_KIND)

/* ---- the type of a total ------------------------------------------------------------------- */

#if TOTAL_KIND == HD_TOTAL_U64
#if HEDDLE_NARROW
typedef u32 total;
#else
typedef u64 total;
#endif
#elif TOTAL_KIND == HD_TOTAL_F32
typedef f32 total;
#elif TOTAL_KIND == HD_TOTAL_F64
typedef f64 total;
#elif TOTAL_KIND == HD_TOTAL_KEY32
typedef i32 total;
#elif TOTAL_KIND == HD_TOTAL_KEY64
typedef i64 total;
#elif TOTAL_KIND == HD_TOTAL_INPUT
#if ELEMENT_BYTES == 8
typedef element total;
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
typedef i32 total;
#else
typedef u32 total;
#endif
#elif TOTAL_KIND == HD_TOTAL_BOOL
typedef u32 total; /* 0 or 1 */
#elif TOTAL_KIND == HD_TOTAL_ARG
typedef struct hd_arg_total total;
#elif TOTAL_KIND == HD_TOTAL_MOMENTS
typedef struct hd_moments total;
#else
typedef heddle_element total;
#endif

#if TOTAL_KIND == HD_TOTAL_CUSTOM
#define TOTAL_LANES HEDDLE_LANES /* hd_lanes_of(sizeof(element)) */
#elif !TOTAL_IS_ORDER_FREE
#define TOTAL_LANES HD_LANES(TOTAL_KIND == HD_TOTAL_F32 ? 4 : 8)
#endif
#define TOTAL_ROWS HD_CHUNK_ROWS
#define TOTAL_CHUNK (TOTAL_ROWS * TOTAL_LANES)

/* ---- two totals as one --------------------------------------------------------------------- */

#if TOTAL_KIND == HD_TOTAL_ARG
HD_DEVICE total total_op(total a, total b) { return hd_arg_takes(&a, &b) ? b : a; }
HD_DEVICE total total_identity(void) {
  total none;
  hd_arg_empty(&none);
  return none;
}
#elif TOTAL_KIND == HD_TOTAL_MOMENTS
HD_DEVICE total total_op(total a, total b) {
  hd_moments_merge(&a, &b);
  return a;
}
/* A chunk's sum overflows, and all of its values that count are finite. */
HD_DEVICE bool moments_overflow(const total *t) {
  return HEDDLE_TYPE == HD_F64 && t->sum - t->sum != 0 && !t->infinite && (HEDDLE_NAN || !t->nan);
}
HD_DEVICE total total_identity(void) {
  total none;
  hd_moments_empty(&none);
  return none;
}
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
HD_DEVICE total total_op(total a, total b) { return heddle_combine(a, b); }
#else
HD_DEVICE total total_op(total a, total b) {
#if HEDDLE_OP == HD_OP_SUM
  return a + b;
#elif HEDDLE_OP == HD_OP_PROD
  return a * b;
#elif HEDDLE_OP == HD_OP_MIN
  return b < a ? b : a;
#elif HEDDLE_OP == HD_OP_MAX
  return b > a ? b : a;
#elif HEDDLE_OP == HD_OP_AND || HEDDLE_OP == HD_OP_ALL
  return a & b;
#elif HEDDLE_OP == HD_OP_OR || HEDDLE_OP == HD_OP_ANY
  return a | b;
#else
  return a ^ b;
#endif
}
HD_DEVICE total total_identity(void) {
#if HEDDLE_OP == HD_OP_SUM && HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
  return (total)-0.0;
#elif HEDDLE_OP == HD_OP_PROD || HEDDLE_OP == HD_OP_ALL
  return (total)1;
#elif HEDDLE_OP == HD_OP_AND
  return (total)(element) ~(element)0;
#elif HEDDLE_OP == HD_OP_MIN || HEDDLE_OP == HD_OP_MAX
#if TOTAL_KIND == HD_TOTAL_KEY32
  return HEDDLE_OP == HD_OP_MIN ? HD_I32_MAX : HD_I32_MIN;
#elif TOTAL_KIND == HD_TOTAL_KEY64
  return HEDDLE_OP == HD_OP_MIN ? HD_I64_MAX : HD_I64_MIN;
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE)
  return (total)(element)(HEDDLE_OP == HD_OP_MIN ? (1ull << (8 * ELEMENT_BYTES - 1)) - 1
                                                 : 1ull << (8 * ELEMENT_BYTES - 1));
#else
  return (total)(element)(HEDDLE_OP == HD_OP_MIN ? ~0ull : 0ull);
#endif
#else
  return (total)0;
#endif
}
#endif

/* ---- one element as a total ---------------------------------------------------------------- */

#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE) && \
    (TOTAL_KIND == HD_TOTAL_ARG || TOTAL_KIND == HD_TOTAL_KEY32 || TOTAL_KIND == HD_TOTAL_KEY64)
/* The key of x, or `nan`. */
#if HEDDLE_TYPE == HD_F64
typedef i64 float_key;
HD_DEVICE float_key key_of(f64 x, float_key nan) { return x == x ? hd_key_of_f64(x) : nan; }
HD_DEVICE f64 key_value(element x) { return x; }
#define KEY_LEAST HD_I64_MIN
#define KEY_MOST HD_I64_MAX
#else
typedef i32 float_key;
HD_DEVICE float_key key_of(f32 x, float_key nan) { return x == x ? hd_key_of_f32(x) : nan; }
HD_DEVICE f32 key_value(element x) { return to_f32(x); }
#define KEY_LEAST HD_I32_MIN
#define KEY_MOST HD_I32_MAX
#endif
#endif

#if TOTAL_KIND == HD_TOTAL_ARG

/* arg_key: the key that the least of is sought; ARG_NONE: the one of an element that is skipped. */
#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
typedef float_key arg_key_type;
#define ARG_NONE KEY_MOST
HD_DEVICE arg_key_type arg_key(element x) {
  /* Adding +0.0 makes -0.0 equal to it. The greatest is the least of the inverted keys. */
#if HEDDLE_OP == HD_OP_MIN
  return key_of(key_value(x) + 0, HEDDLE_NAN ? KEY_MOST : KEY_LEAST);
#else
  return ~key_of(key_value(x) + 0, HEDDLE_NAN ? KEY_LEAST : KEY_MOST);
#endif
}
#else
#if ELEMENT_BYTES == 8
typedef i64 arg_key_type;
#else
typedef i32 arg_key_type;
#endif
HD_DEVICE arg_key_type arg_key(element x) {
#if HEDDLE_TYPE == HD_U64
  i64 key = (i64)(x ^ (1ull << 63));
#elif HEDDLE_TYPE == HD_U32
  i32 key = (i32)(x ^ (1u << 31));
#else
  arg_key_type key = x;
#endif
  return HEDDLE_OP == HD_OP_MIN ? key : ~key;
}
#endif
/* Whether an element of this key is left out. */
HD_DEVICE bool arg_is_none(arg_key_type key) {
#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE) && HEDDLE_NAN
  return key == ARG_NONE;
#else
  (void)key;
  return false;
#endif
}
HD_DEVICE u64 element_bits(element x) {
#if HEDDLE_TYPE == HD_F32
  return hd_bits_f32(x);
#elif HEDDLE_TYPE == HD_F64
  return hd_bits_f64(x);
#elif HD_TYPE_IS_SIGNED(HEDDLE_TYPE) && ELEMENT_BYTES < 8
  return (u64)x & ((1ull << (8 * ELEMENT_BYTES)) - 1);
#else
  return (u64)x;
#endif
}
HD_DEVICE total total_at(element x, u64 index) {
  arg_key_type key = arg_key(x);
  total t = total_identity();
  if (arg_is_none(key)) return t;
  t.key = key, t.index = index, t.bits = element_bits(x);
  return t;
}

#elif TOTAL_KIND == HD_TOTAL_MOMENTS

HD_DEVICE total total_of(element x) {
  total t;
  hd_moments_one(&t, to_f64(x), HEDDLE_NAN);
  return t;
}

#elif TOTAL_KIND == HD_TOTAL_CUSTOM

HD_DEVICE total total_of(element x) { return x; }

#elif TOTAL_KIND == HD_TOTAL_KEY32 || TOTAL_KIND == HD_TOTAL_KEY64

HD_DEVICE total total_of(element x) {
  return key_of(key_value(x), (HEDDLE_OP == HD_OP_MIN) == (HEDDLE_NAN == 1) ? KEY_MOST : KEY_LEAST);
}

#elif TOTAL_KIND == HD_TOTAL_BOOL

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

#else

/* HEDDLE_MAP, in two forms: what a value counts as, and the factor that makes it so, where `one` is
 * as many ones as `packed` has elements. */
#if HEDDLE_MAP == HD_MAP_SQUARE
#define MAP_OF(value) ((value) * (value))
#define MAP_FACTOR(packed, one) (packed)
#else
#define MAP_OF(value) (value)
#define MAP_FACTOR(packed, one) (one)
#endif

/* A NaN that is left out counts for nothing. */
HD_DEVICE total total_if_any(total value) {
#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE) && HEDDLE_NAN
  return value == value ? value : total_identity();
#else
  return value;
#endif
}

HD_DEVICE total total_of(element x) {
#if TOTAL_KIND == HD_TOTAL_F32
  f32 value = to_f32(x);
#elif TOTAL_KIND == HD_TOTAL_F64
  f64 value = to_f64(x);
#else
  total value = (total)x; /* sign bits are kept */
#endif
  return total_if_any(MAP_OF(value));
}

#if HEDDLE_VERB == HD_DOT
HD_DEVICE total total_of_product(element x, element y) {
#if TOTAL_KIND == HD_TOTAL_F32
  f32 value = to_f32(x) * to_f32(y);
#elif TOTAL_KIND == HD_TOTAL_F64
  f64 value = to_f64(x) * to_f64(y);
#else
  u64 value = (u64)x * (u64)y;
#endif
  return total_if_any(value);
}
#endif

#endif
#endif
