/* unique.h - the values of an array, each once, on a CPU: what the room's files share */
#ifndef HEDDLE_CPU_UNIQUE_UNIQUE_H
#define HEDDLE_CPU_UNIQUE_UNIQUE_H

#include <string.h>

#include "cpu/cpu.h"

/* The bits of an element, by which it is its equals': both zeros are one, and all NaN. */
static inline u64 hd_cpu_unique_bits(const struct hd_sort_map *map, u64 bits) {
  const u64 sign = (u64)1 << (map->bits - 1), magnitude = bits & (sign - 1);
  if (!map->is_float) return bits;
  if (magnitude > map->infinity) return sign | (sign - 1);
  return magnitude ? bits : 0;
}

/* inverse[i] = u */
static inline void hd_cpu_unique_store(void *inverse, u32 bytes, size_t i, u64 u) {
  const u32 narrow = (u32)u;
  if (bytes == 4)
    memcpy((char *)inverse + i * sizeof narrow, &narrow, sizeof narrow);
  else
    memcpy((char *)inverse + i * sizeof u, &u, sizeof u);
}

/* Whether integers of 32 or 64 bits lie so close together that there are few more than an eighth as many values as
 * elements: the bits of the least, and how many values there may be. positions: first or inverse is wanted. */
bool hd_cpu_unique_range(const struct hd_unique *job, const void *in, size_t count, bool positions,
                         u64 *least, size_t *patterns);
/* Of elements of 8 and 16 bits, least NULL; or of such integers. */
heddle_status hd_cpu_unique_counted(heddle_context *ctx, const struct hd_unique *job,
                                    const void *in, size_t count, struct hd_unique_out out,
                                    const u64 *least, size_t patterns,
                                    struct hd_cancellation *token);

#endif
