/* float_key.h - the key of a float element: an integer that orders as the floats do
 *
 * Result   float_key          i32; of f64 i64
 *          key_value(x)       the element's value, f32 or f64
 *          key_of(value, nan) its key, or `nan`
 *          KEY_LEAST, KEY_MOST  keys that no number has
 * Defines  HEDDLE_TYPE, a float */
#ifndef HEDDLE_ORDER_DEVICE_FLOAT_KEY_H
#define HEDDLE_ORDER_DEVICE_FLOAT_KEY_H

#include "element.h"

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
