/* total_custom.h - totals of a custom operator: elements, combined by the text in front of the kernel
 *
 * Result   total_of, total_op as total.h; custom_element(p): one element, custom_store(to, t): a
 *          result, both at any address
 * Defines  the text: heddle_element, heddle_combine */
#ifndef HEDDLE_ORDER_DEVICE_TOTAL_CUSTOM_H
#define HEDDLE_ORDER_DEVICE_TOTAL_CUSTOM_H

typedef heddle_element total;

HD_DEVICE total total_op(total a, total b) { return heddle_combine(a, b); }
HD_DEVICE total total_of(element x) { return x; }

HD_DEVICE element custom_element(const element *from) {
  if (((u64)from & (__alignof__(element) - 1)) == 0) return *from;
  element e;
  for (u32 i = 0; i < sizeof e; i++) ((u8 *)&e)[i] = ((const u8 *)from)[i];
  return e;
}

HD_DEVICE void custom_store(void *to, total t) {
  for (u32 i = 0; i < sizeof t; i++) ((u8 *)to)[i] = ((const u8 *)&t)[i];
}

#endif
