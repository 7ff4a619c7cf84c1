/* rank_generic.h - the words of order statistics for sets that have none of their own; what each means */
#ifndef HEDDLE_CPU_VEC_RANK_GENERIC_H
#define HEDDLE_CPU_VEC_RANK_GENERIC_H

#include "types.h"

/* Lanes of v from `low` to low + width go to out[0], out[1] .., where a whole vector is written; how many. */
static inline size_t put_within_u32(u32 *out, vu32 v, u32 low, u32 width) {
  size_t n = 0;
  for (u32 k = 0; k < LANES32; k++) {
    out[n] = v[k];
    n += v[k] - low <= width;
  }
  return n;
}
static inline size_t put_within_u64(u64 *out, vu64 v, u64 low, u64 width) {
  size_t n = 0;
  for (u32 k = 0; k < LANES64; k++) {
    out[n] = v[k];
    n += v[k] - low <= width;
  }
  return n;
}
/* Numbers of lanes that are up to `most`, counted from `from` on, go to out[0], out[1] .., where a vector of
 * u32 is written; how many. */
static inline size_t up_to_u32(u32 *out, vu32 v, u32 most, u32 from) {
  size_t n = 0;
  for (u32 k = 0; k < LANES32; k++) {
    out[n] = from + k;
    n += v[k] <= most;
  }
  return n;
}
static inline size_t up_to_u64(u32 *out, vu64 v, u64 most, u32 from) {
  size_t n = 0;
  for (u32 k = 0; k < LANES64; k++) {
    out[n] = from + k;
    n += v[k] <= most;
  }
  return n;
}

#endif
