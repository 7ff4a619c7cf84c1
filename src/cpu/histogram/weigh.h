/* weigh.h - blocks of weights into accumulators, and the tables of accumulators (order/exact/fixed_sum.h)
 *
 * Exact sums (docs/order.md, rule 15) have the same tables, in which every weight is whole, and limbs for those
 * weights that would not be.
 *
 * An accumulator counts its elements, too: one line of the cache an element. Small tables have
 * HD_WEIGH_COPIES of every accumulator, so that equal neighbours do not wait for each other's store. */
#ifndef HEDDLE_CPU_HISTOGRAM_WEIGH_H
#define HEDDLE_CPU_HISTOGRAM_WEIGH_H

#include "kernels.h"
#include "limbs.h"

struct hd_cpu_weigh {
  hd_cpu_weigh_kernel *kernel; /* NULL: integers of 64 bits */
  heddle_type type;
  size_t bytes; /* of a weight */
  int exponent;
  struct hd_scale scale;
  bool copies, whole;               /* as in struct hd_cpu_weighing */
  hd_cpu_weigh_exact_kernel *exact; /* NULL: rule 14 */
  bool found;  /* exact: the exponent has been chosen for the weights that came first */
  size_t sums; /* exact: totals from here on are no bin's */
  struct hd_exact_span span; /* exact: limbs of a row */
  u8 *marks;                 /* of each accumulator; all threads share them */
};

/* The n weights to the accumulators of their indices. Returns all marks together. */
unsigned hd_cpu_weigh_block(const struct hd_cpu_weigh *weigh, struct hd_accumulator *table,
                            const void *weights, const u32 *index, size_t n);

/* The same of exact sums, some of which go into limbs. The marks may have HD_MARK_NO_MEMORY. */
enum { HD_MARK_NO_MEMORY = 16 };
unsigned hd_cpu_weigh_exact_block(heddle_context *ctx, const struct hd_cpu_weigh *weigh,
                                  struct hd_accumulator *table, struct hd_cpu_limbs *limbs,
                                  const void *weights, const u32 *index, size_t n);
/* Chooses the exponent with which accumulators take most of weights like these. */
void hd_cpu_weigh_find(struct hd_cpu_weigh *weigh, const void *weights, size_t n);
/* *sum, which is clear, gains an accumulator's. The span is hd_exact_span_with_fixed's. */
void hd_cpu_weigh_exact_sum(const struct hd_cpu_weigh *weigh, struct hd_accumulator accumulator,
                            struct hd_exact *sum);

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
