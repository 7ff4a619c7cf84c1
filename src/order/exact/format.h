/* format.h - the binary format of a float type, as exact sums round to it; for C alone */
#ifndef HEDDLE_ORDER_EXACT_FORMAT_H
#define HEDDLE_ORDER_EXACT_FORMAT_H

#include "limbs.h"
#include "order/types.h"

/* Of a float type; f64's for any other number. */
static inline struct hd_exact_format hd_exact_format_of_type(heddle_type type) {
  switch (type) {
#define HD_CASE(enum, ...) \
  case HEDDLE_##enum: return hd_exact_format_of(HD_EXACT_##enum);
    HD_FLOAT_TYPES(HD_CASE)
#undef HD_CASE
  default: return hd_exact_format_of(HD_EXACT_F64);
  }
}

#endif
