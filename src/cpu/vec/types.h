/* types.h - vectors of VEC_BYTES bytes of every element type: vf32, vf64, vu8 .. vi64 */
#ifndef HEDDLE_CPU_VEC_TYPES_H
#define HEDDLE_CPU_VEC_TYPES_H

#include "order/types.h"

#define VEC_TYPE(E, T, ...) typedef T v##T __attribute__((vector_size(VEC_BYTES)));
HD_INTEGER_TYPES(VEC_TYPE)
HD_ROW(VEC_TYPE, HD_ROW_F32)
HD_ROW(VEC_TYPE, HD_ROW_F64)
#undef VEC_TYPE

enum {
  LANES8 = VEC_BYTES,
  LANES16 = VEC_BYTES / 2,
  LANES32 = VEC_BYTES / 4,
  LANES64 = VEC_BYTES / 8
};

#endif
