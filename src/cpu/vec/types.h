/* types.h - vectors of VEC_BYTES bytes of every element type: vf32, vf64, vu8 .. vi64 */
#ifndef HEDDLE_CPU_VEC_TYPES_H
#define HEDDLE_CPU_VEC_TYPES_H

#include "order/types.h"

#define VEC_TYPE(T) typedef T v##T __attribute__((vector_size(VEC_BYTES)))
VEC_TYPE(u8);
VEC_TYPE(u16);
VEC_TYPE(u32);
VEC_TYPE(u64);
VEC_TYPE(i8);
VEC_TYPE(i16);
VEC_TYPE(i32);
VEC_TYPE(i64);
VEC_TYPE(f32);
VEC_TYPE(f64);
#undef VEC_TYPE

enum {
  LANES8 = VEC_BYTES,
  LANES16 = VEC_BYTES / 2,
  LANES32 = VEC_BYTES / 4,
  LANES64 = VEC_BYTES / 8
};

#endif
