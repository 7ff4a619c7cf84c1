/* values.h - values on their way with keys, and positions in their place
 *
 * Defines  tiles.h's; HEDDLE_VALUE_BYTES 0 to 16; HEDDLE_POSITIONS; HEDDLE_RESULT_BYTES of a position */
#ifndef HEDDLE_KERNELS_SORT_VALUES_H
#define HEDDLE_KERNELS_SORT_VALUES_H

#include "tiles.h"

#if HEDDLE_VALUE_BYTES

#if HEDDLE_VALUE_BYTES == 16
typedef uint4 sort_value;
#elif HEDDLE_VALUE_BYTES == 8
typedef u64 sort_value;
#elif HEDDLE_VALUE_BYTES == 4
typedef u32 sort_value;
#elif HEDDLE_VALUE_BYTES == 2
typedef u16 sort_value;
#else
typedef u8 sort_value;
#endif

/* Of element `at` of a tile. */
HD_DEVICE sort_value value_load(const struct sort_args *a, const struct sort_step *step,
                                const struct sort_tile *tile, u32 at) {
#if HEDDLE_POSITIONS
  if (step->first) return (sort_value)(tile->before + at);
#endif
  return ((const sort_value *)a->values[step->from])[tile->start + tile->before + at];
}

HD_DEVICE void value_store(const struct sort_args *a, const struct sort_step *step, u64 at,
                           sort_value value) {
#if HEDDLE_POSITIONS && HEDDLE_RESULT_BYTES != HEDDLE_VALUE_BYTES
  if (step->last) {
    ((u64 *)a->result)[at] = value;
    return;
  }
#endif
  ((sort_value *)a->values[step->to])[at] = value;
}

#endif
#endif
