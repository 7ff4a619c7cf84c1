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

/* Element i, wherever it lies. */
static inline u16 element_u16(const void *x, size_t i) {
  u16 e;
  memcpy(&e, (const char *)x + i * sizeof e, sizeof e);
  return e;
}
static inline u32 element_u32(const void *x, size_t i) {
  u32 e;
  memcpy(&e, (const char *)x + i * sizeof e, sizeof e);
  return e;
}
static inline u64 element_u64(const void *x, size_t i) {
  u64 e;
  memcpy(&e, (const char *)x + i * sizeof e, sizeof e);
  return e;
}

/* counted.c: of elements of 8 and 16 bits. The context's lock is held. */
heddle_status hd_cpu_unique_counted(heddle_context *ctx, const struct hd_unique *job,
                                    const void *in, size_t count, struct hd_unique_out out,
                                    struct hd_cancellation *token);

/* ranged.c: whether integers of 32 or 64 bits lie so close together that a table of what lies between them is
 * smaller than a sort's memory: the bits of the least, and how many values there may be. words: counts, first or
 * inverse are wanted. */
bool hd_cpu_unique_range(const struct hd_unique *job, const void *in, size_t count, bool words,
                         u64 *least, size_t *patterns);
/* Of such integers. The context's lock is held. */
heddle_status hd_cpu_unique_ranged(heddle_context *ctx, const struct hd_unique *job, const void *in,
                                   size_t count, struct hd_unique_out out, u64 least,
                                   size_t patterns, struct hd_cancellation *token);

/* few.c: of 32 or 64 bits and few values; false: they are many, and nothing is found. The context's lock is not
 * held. */
bool hd_cpu_unique_few(heddle_context *ctx, const struct hd_unique *job, const void *in,
                       size_t count, struct hd_unique_out out, struct hd_cancellation *token,
                       heddle_status *status);

#endif
