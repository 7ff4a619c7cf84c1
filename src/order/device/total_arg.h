/* total_arg.h - totals of argmin and argmax: key, place and bits of the element that wins
 *
 * Result   total_at, total_op, total_identity as total.h; arg_key(x): the key that the least of is
 *          sought; arg_is_none(key): whether its element is skipped; ARG_WORST: the greatest key;
 *          element_bits(x)
 * Defines  as total.h
 * Source   docs/order.md, rule 10; the struct is order/total.h's */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_ARG_H
#define HEDDLE_ORDER_DEVICE_TOTAL_ARG_H

#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
#include "float_key.h"
#endif

typedef struct hd_arg_total total;

HD_DEVICE total total_op(total a, total b) { return hd_arg_takes(&a, &b) ? b : a; }
HD_DEVICE total total_identity(void) {
  total none;
  hd_arg_empty(&none);
  return none;
}

/* arg_key: the key that the least of is sought; ARG_NONE: the one of an element that is skipped. */
#if HD_TYPE_IS_FLOAT(HEDDLE_TYPE)
typedef float_key arg_key_type;
#define ARG_WORST KEY_MOST
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
#define ARG_WORST HD_I64_MAX
#else
typedef i32 arg_key_type;
#define ARG_WORST HD_I32_MAX
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

#endif
