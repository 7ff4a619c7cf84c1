/* kernels.h - what an ISA object gives to histograms, and the tables its kernels read
 *
 * Counting takes two steps a block of elements: a vector kernel turns them into slot numbers
 * (bins/index.h), then a scalar loop increments counters (count.c). A block fits the first-level
 * cache. */
#ifndef HEDDLE_CPU_HISTOGRAM_KERNELS_H
#define HEDDLE_CPU_HISTOGRAM_KERNELS_H

#include "bins/index.h"
#include "order/exact/fixed_sum.h"

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
  HD_WEIGH_GROUP = 64, /* elements that are tested together for infinities and NaN */
  HD_WEIGH_COPIES = 4, /* of a small table's accumulators, taken in turn */
  HD_WEIGH_SHIFT = 2,
  HD_WEIGH_AHEAD = 8192 /* bytes of weights, fetched before they are read */
};

struct hd_cpu_weighing {
  struct hd_scale scale;
  struct hd_accumulator *table;
  bool copies; /* table[index * HD_WEIGH_COPIES + i % HD_WEIGH_COPIES], or table[index] */
  bool whole;  /* the table is carried on in time; else each accumulator is, when it has to be */
};
/* Adds weights to accumulators, and returns how many: n, or a multiple of HD_WEIGH_GROUP, since it
 * stops before a group with a weight of 2^E or more in magnitude, or with one that is not finite.
 * */
typedef size_t hd_cpu_weigh_kernel(const struct hd_cpu_weighing *p, const void *weights,
                                   const u32 *index, size_t n);
/* Adds those of at most HD_INDEX_BLOCK weights to accumulators that are whole multiples of 2^(E - 86), below
 * 2^E in magnitude; of the others only the count, and left[..] = which they are. Returns how many. */
typedef size_t hd_cpu_weigh_exact_kernel(const struct hd_cpu_weighing *p, const void *weights,
                                         const u32 *index, size_t n, u16 *left);

/* slot[i] += what bin[i] of an axis with so many bins is worth, i < n; returns whether one is outside. */
typedef bool hd_cpu_axis_kernel(u32 bins, u32 stride, const u32 *bin, size_t n, u32 *slot);

struct hd_cpu_histogram_kernels {
  hd_cpu_index_kernel *even[HD_TYPE_COUNT];    /* NULL for types of 8 bits */
  hd_cpu_index_kernel *buckets[HD_TYPE_COUNT]; /* the same */
  hd_cpu_index_kernel *integer[HD_TYPE_COUNT]; /* integers of 16 to 64 bits */
  hd_cpu_range_kernel *range[HD_TYPE_COUNT];
  hd_cpu_weigh_kernel *weigh[HD_TYPE_COUNT];              /* NULL for integers of 64 bits */
  hd_cpu_weigh_exact_kernel *weigh_exact[HD_TYPE_COUNT];  /* of floats but f16 */
  size_t (*equal)(const u32 *index, size_t n, u32 value); /* how many are `value` */
  size_t (*drop)(u32 *index, size_t n, u32 value);        /* takes them out; what is left */
  hd_cpu_axis_kernel *axis, *axis_flow; /* bin * stride, or no slot; (bin + 1) * stride */
  void (*axis_end)(u32 last, u32 shift, size_t n, u32 *slot); /* no slot: the last; << shift */
};

#endif
