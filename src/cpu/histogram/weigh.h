/* weigh.h - blocks of weights into accumulators, and the tables of accumulators (order/exact/fixed_sum.h)
 *
 * An accumulator counts its elements, too: one line of the cache an element. Small tables have
 * HD_WEIGH_COPIES of every accumulator, so that equal neighbours do not wait for each other's store. */
#ifndef HEDDLE_CPU_HISTOGRAM_WEIGH_H
#define HEDDLE_CPU_HISTOGRAM_WEIGH_H

#include "kernels.h"

struct hd_cpu_weigh {
  hd_cpu_weigh_kernel *kernel; /* NULL: integers of 64 bits */
  heddle_type type;
  size_t bytes; /* of a weight */
  int exponent;
  struct hd_scale scale;
  bool copies, whole; /* as in struct hd_cpu_weighing */
  u8 *marks;          /* of each accumulator; all threads share them */
};

/* The n weights to the accumulators of their indices. Returns all marks together. */
unsigned hd_cpu_weigh_block(const struct hd_cpu_weigh *weigh, struct hd_accumulator *table,
                            const void *weights, const u32 *index, size_t n);

/* Whole tables: before HD_ACCUMULATOR_ROOM weights, every accumulator is to be carried on. */
void hd_cpu_weigh_carry(struct hd_accumulator *table, size_t accumulators);

/* The first copies of *table gain all others of it, and all of *other, which is left empty; other
 * may be NULL. */
void hd_cpu_weigh_merge(const struct hd_cpu_weigh *weigh, struct hd_accumulator *table,
                        struct hd_accumulator *other, size_t accumulators);

/* The first copy of a accumulator. */
static inline const struct hd_accumulator *
hd_cpu_weigh_accumulator(const struct hd_cpu_weigh *weigh, const struct hd_accumulator *table,
                         size_t accumulator) {
  return &table[weigh->copies ? accumulator << HD_WEIGH_SHIFT : accumulator];
}

#endif
