/* operator.h - what is folded: the total that a verb and operator keep, and how two become one
 *
 * Result   total                 the type of a running total, 4 bytes or more
 *          total_identity()      e with total_op(e, t) == t to the bit (built-in operators; a custom
 *                                one has its identity from the host)
 *          total_op(a, b)        a op b, a being what comes first in the array
 *          total_of(x)           one element as a total, the NaN policy applied
 *          total_of_product(x, y)  HD_DOT: the product, rounded once to the total's type (rule 8)
 *          total_at(x, index)    HD_ARGREDUCE: the same with the element's place
 * Defines  HEDDLE_TYPE   as value.h has it
 *          HEDDLE_VERB   HD_REDUCE (a scan's operator too), HD_ARGREDUCE, HD_DOT or HD_DESCRIBE
 *          HEDDLE_OP     HD_OP_SUM .. HD_OP_CUSTOM; argreduce: HD_OP_MIN or HD_OP_MAX; dot: HD_OP_SUM
 *          HEDDLE_ACC    HD_F32 or HD_F64: what floats are summed and multiplied in; else unread
 *          HEDDLE_NAN    0 NaN propagate, 1 they are skipped
 *          HEDDLE_NARROW 1: sums and products of integers have 32 bits, where no result has more
 * Method   TOTAL_KIND says what a total is (HD_TOTAL_...), as enum hd_total does on a CPU.
 *          Extremes of floats are integer keys; a NaN has the key that wins, or the identity.
 *          TOTAL_IS_FREE     any association gives the same bits: integers, extremes, truth
 *          TOTAL_COMMUTES    total_op(a, b) and total_op(b, a) have the same bits
 *          TOTAL_LANES       columns of a chunk (rules 1 and 2), TOTAL_CHUNK its elements; free
 *                            totals have none
 * Limits   NaN among totals have any payload: convert.h makes them canonical
 * Source   docs/order.md, rules 7 to 12; moments: Chan, Golub and LeVeque 1979, Pebay 2008 */
#ifndef HEDDLE_KERNELS_BASE_OPERATOR_H
#define HEDDLE_KERNELS_BASE_OPERATOR_H

#include "value.h"

#define HD_TOTAL_U64 0
#define HD_TOTAL_F32 1
#define HD_TOTAL_F64 2
#define HD_TOTAL_KEY32 3
#define HD_TOTAL_KEY64 4
#define HD_TOTAL_INPUT 5
#define HD_TOTAL_BOOL 6
#define HD_TOTAL_ARG 7
#define HD_TOTAL_MOMENTS 8
#define HD_TOTAL_CUSTOM 9

#if HEDDLE_VERB == HD_ARGREDUCE
#define TOTAL_KIND HD_TOTAL_ARG
#elif HEDDLE_VERB == HD_DESCRIBE
#define TOTAL_KIND HD_TOTAL_MOMENTS
#elif HEDDLE_OP == HD_OP_CUSTOM
#define TOTAL_KIND HD_TOTAL_CUSTOM
#elif HEDDLE_OP == HD_OP_ANY || HEDDLE_OP == HD_OP_ALL
#define TOTAL_KIND HD_TOTAL_BOOL
#elif HEDDLE_OP == HD_OP_SUM || HEDDLE_OP == HD_OP_PROD
#if HD_TYPE_IS_INTEGER(HEDDLE_TYPE)
#define TOTAL_KIND HD_TOTAL_U64
#elif HEDDLE_ACC == HD_F64
#define TOTAL_KIND HD_TOTAL_F64
#else
#define TOTAL_KIND HD_TOTAL_F32
#endif
#elif HEDDLE_TYPE == HD_F64
#define TOTAL_KIND HD_TOTAL_KEY64
#elif HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
#define TOTAL_KIND HD_TOTAL_KEY32
#else
#define TOTAL_KIND HD_TOTAL_INPUT
#endif

#define TOTAL_IS_FREE \
  (TOTAL_KIND == HD_TOTAL_U64 || (TOTAL_KIND >= HD_TOTAL_KEY32 && TOTAL_KIND <= HD_TOTAL_ARG))
#define TOTAL_COMMUTES (TOTAL_KIND != HD_TOTAL_MOMENTS && TOTAL_KIND != HD_TOTAL_CUSTOM)

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
typedef struct arg_total {
  i64 key;   /* the least wins: of the element, inverted for argmax */
  u64 index; /* all ones: no element */
  u64 bits;  /* of the element, as it stood */
} total;
#elif TOTAL_KIND == HD_TOTAL_MOMENTS
typedef struct moments { /* rule 9; the layout of struct hd_moments */
  f64 n, mean, m2, m3, sum;
  i64 min_key, max_key;
  u64 nan, infinite;
} total;
#else
typedef heddle_element total;
#endif

#if TOTAL_KIND == HD_TOTAL_F32
#define TOTAL_LANES 128
#elif TOTAL_KIND == HD_TOTAL_F64 || TOTAL_KIND == HD_TOTAL_MOMENTS
#define TOTAL_LANES 64
#elif TOTAL_KIND == HD_TOTAL_CUSTOM
#define TOTAL_LANES HEDDLE_LANES /* the largest power of two that fits 512 bytes of elements */
#endif
#define TOTAL_ROWS 16
#define TOTAL_CHUNK (TOTAL_ROWS * TOTAL_LANES)

/* ---- two totals as one --------------------------------------------------------------------- */

#if TOTAL_KIND == HD_TOTAL_ARG
/* In any order: the least key, of equal ones the lowest index, which none is above. */
HD_DEVICE total total_op(total a, total b) {
  bool right = b.index < a.index;
  if (a.index != ~0ull && b.index != ~0ull) right = b.key < a.key || (b.key == a.key && right);
  return right ? b : a;
}
HD_DEVICE total total_identity(void) {
  total none;
  none.key = 0, none.index = ~0ull, none.bits = 0;
  return none;
}
#elif TOTAL_KIND == HD_TOTAL_MOMENTS
/* The moments of a's values followed by b's. The parentheses are the order (rule 9). */
HD_DEVICE total total_op(total a, total b) {
  total c = a;
  c.sum = a.sum + b.sum;
  c.min_key = b.min_key < a.min_key ? b.min_key : a.min_key;
  c.max_key = b.max_key > a.max_key ? b.max_key : a.max_key;
  c.nan = a.nan + b.nan;
  c.infinite = a.infinite + b.infinite;
  if (b.n == 0) return c;
  if (a.n == 0) {
    c.n = b.n, c.mean = b.mean, c.m2 = b.m2, c.m3 = b.m3;
    return c;
  }
  f64 n = a.n + b.n, delta = b.mean - a.mean, r = delta / n;
  f64 t = delta * r, u = a.n * b.n;
  c.m3 = ((a.m3 + b.m3) + ((t * r) * u) * (a.n - b.n)) + (3 * r) * ((a.n * b.m2) - (b.n * a.m2));
  c.m2 = (a.m2 + b.m2) + t * u;
  c.mean = a.mean + r * b.n;
  if (delta - delta != 0 && a.mean - a.mean == 0 && b.mean - b.mean == 0)
    c.mean = a.mean * (a.n / n) + b.mean * (b.n / n); /* finite, though their distance is not */
  c.n = n;
  return c;
}
/* The mean from the fold of values times 2^-11, which no chunk's values overflow. */
HD_DEVICE f64 moments_scaled_mean(f64 fold, f64 n) {
  const f64 mean = (fold / n) * 2048.0;
  const u64 most = 0x7fefffffffffffffull | (bits_of_f64(mean) & ~(u64)HD_MOST_64);
  return mean - mean == 0 ? mean : f64_of_bits(most);
}
/* A chunk's sum overflows, and all of its values that count are finite. */
HD_DEVICE bool moments_overflow(const total *t) {
  return HEDDLE_TYPE == HD_F64 && t->sum - t->sum != 0 && !t->infinite && (HEDDLE_NAN || !t->nan);
}
HD_DEVICE total total_identity(void) {
  total none;
  none.n = none.mean = none.m2 = none.m3 = 0, none.sum = -0.0;
  none.min_key = HD_MOST_64, none.max_key = HD_LEAST_64;
  none.nan = none.infinite = 0;
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
  return HEDDLE_OP == HD_OP_MIN ? HD_MOST_32 : HD_LEAST_32;
#elif TOTAL_KIND == HD_TOTAL_KEY64
  return HEDDLE_OP == HD_OP_MIN ? HD_MOST_64 : HD_LEAST_64;
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
HD_DEVICE float_key key_of(f64 x, float_key nan) { return x == x ? key_of_f64(x) : nan; }
HD_DEVICE f64 key_value(element x) { return x; }
#define KEY_LEAST HD_LEAST_64
#define KEY_MOST HD_MOST_64
#else
typedef i32 float_key;
HD_DEVICE float_key key_of(f32 x, float_key nan) { return x == x ? key_of_f32(x) : nan; }
HD_DEVICE f32 key_value(element x) { return to_f32(x); }
#define KEY_LEAST HD_LEAST_32
#define KEY_MOST HD_MOST_32
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
  return bits_of_f32(x);
#elif HEDDLE_TYPE == HD_F64
  return bits_of_f64(x);
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

HD_DEVICE total total_of(element e) {
  f64 x = to_f64(e);
  total t = total_identity();
  if (x != x) {
    t.nan = 1;
    if (HEDDLE_NAN) return t;
  } else {
    t.min_key = t.max_key = key_of_f64(x);
    t.infinite = x - x != 0;
  }
  t.n = 1;
  t.mean = t.sum = x;
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
  const u32 bits = bits_of_f32(x) & 0x7fffffffu, infinity = 0x7f800000u;
#elif HEDDLE_TYPE == HD_F64
  const u64 bits = bits_of_f64(x) & HD_MOST_64, infinity = 0x7ff0000000000000ull;
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
  return total_if_any(value);
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
