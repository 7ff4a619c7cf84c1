/* total_arithmetic.h - totals that are sums, products and dots: F32, F64, or U64, modulo 2^64
 *
 * Result, Defines  as total.h
 * Source   docs/order.md, rules 7, 8 and 12 */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_ARITHMETIC_H
#define HEDDLE_ORDER_DEVICE_TOTAL_ARITHMETIC_H

#if TOTAL_KIND == HD_TOTAL_F32
typedef f32 total;
#elif TOTAL_KIND == HD_TOTAL_F64
typedef f64 total;
#elif HEDDLE_NARROW
typedef u32 total;
#else
typedef u64 total;
#endif

HD_DEVICE total total_op(total a, total b) {
#if HEDDLE_OP == HD_OP_PROD
  return a * b;
#else
  return a + b;
#endif
}

HD_DEVICE total total_identity(void) {
#if HEDDLE_OP == HD_OP_PROD
  return (total)1;
#elif TOTAL_KIND == HD_TOTAL_U64
  return (total)0;
#else
  return (total)-0.0;
#endif
}

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

/* What an element is worth in the type of a total, exactly. */
HD_DEVICE total total_value_of(element x) {
#if TOTAL_KIND == HD_TOTAL_F32
  return to_f32(x);
#elif TOTAL_KIND == HD_TOTAL_F64
  return to_f64(x);
#else
  return (total)x; /* sign bits are kept */
#endif
}

HD_DEVICE total total_of(element x) { return total_if_any(MAP_OF(total_value_of(x))); }

#if HEDDLE_VERB == HD_DOT
HD_DEVICE total total_of_product(element x, element y) {
  return total_if_any(total_value_of(x) * total_value_of(y));
}
#endif

#endif
