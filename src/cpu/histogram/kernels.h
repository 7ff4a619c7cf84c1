/* kernels.h - what an ISA object gives to histograms, and the tables its kernels read
 *
 * Counting goes in two steps over blocks that stay in the first-level cache: a vector kernel turns
 * elements into slot numbers (bins/index.h), then a scalar loop increments counters
 * (count.c). */
#ifndef HEDDLE_CPU_HISTOGRAM_KERNELS_H
#define HEDDLE_CPU_HISTOGRAM_KERNELS_H

#include "bins/index.h"
#include "order/fixed_sum.h"

enum {
  HD_INDEX_BLOCK = 1536,              /* elements; a multiple of 24, so of 1 to 4 channels */
  HD_INDEX_ROOM = HD_INDEX_BLOCK + 16 /* what a kernel may write: whole vectors */
};

struct hd_cpu_range {
  f64 lo, hi; /* of the finite values seen; lo > hi: none */
};

/* index[i] = slot(in[i]) << shift for i < n; whole vectors may be written. */
typedef void hd_cpu_index_kernel(const struct hd_index *p, const void *in, size_t n, u32 *index);
/* Widens *range by the finite values, or by the positive finite ones. */
typedef void hd_cpu_range_kernel(const void *in, size_t n, bool positive,
                                 struct hd_cpu_range *range);

enum {
  HD_WEIGH_GROUP = 64, /* elements that are looked at together for what is not finite */
  HD_WEIGH_COPIES = 4, /* of a small table's accumulators, taken in turn */
  HD_WEIGH_SHIFT = 2
};

struct hd_cpu_weighing {
  struct hd_scale scale;
  struct hd_accumulator *table;
  bool copies; /* table[index * HD_WEIGH_COPIES + i % HD_WEIGH_COPIES], or table[index] */
};
/* Adds weights to accumulators; stops before a group that has a weight that is not below 2^E in magnitude.
 * How many it added: n, or a multiple of HD_WEIGH_GROUP. */
typedef size_t hd_cpu_weigh_kernel(const struct hd_cpu_weighing *p, const void *weights,
                                   const u32 *index, size_t n);

struct hd_cpu_histogram_kernels {
  hd_cpu_index_kernel *even[HD_TYPE_COUNT];    /* NULL for types of 8 bits */
  hd_cpu_index_kernel *buckets[HD_TYPE_COUNT]; /* the same */
  hd_cpu_index_kernel *integer[HD_TYPE_COUNT]; /* integers of 16 to 64 bits */
  hd_cpu_range_kernel *range[HD_TYPE_COUNT];
  hd_cpu_weigh_kernel *weigh[HD_TYPE_COUNT];              /* NULL for integers of 64 bits */
  size_t (*equal)(const u32 *index, size_t n, u32 value); /* how many are `value` */
  size_t (*drop)(u32 *index, size_t n, u32 value);        /* takes them out; what is left */
};

#endif
