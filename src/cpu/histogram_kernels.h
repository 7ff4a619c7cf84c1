/* histogram_kernels.h - what an ISA object gives to histograms, and the tables its kernels read
 *
 * Counting goes in two steps over blocks that stay in the first-level cache: a vector kernel turns
 * elements into slot numbers, then a scalar loop increments counters (histogram_count.c). Slots are
 * the bins, then one each for values below, above, and NaN. */
#ifndef HEDDLE_CPU_HISTOGRAM_KERNELS_H
#define HEDDLE_CPU_HISTOGRAM_KERNELS_H

#include "../types.h"

enum {
  HD_INDEX_BLOCK = 1536,               /* elements; a multiple of 24, so of 1 to 4 channels */
  HD_INDEX_ROOM = HD_INDEX_BLOCK + 16, /* what a kernel may write: whole vectors */
  HD_SLOT_UNDER = 0,                   /* bins + these */
  HD_SLOT_OVER = 1,
  HD_SLOT_NAN = 2,
  HD_EXTRA_SLOTS = 3
};

/* The edges in the type that elements are compared in, each rounded up to it: x >= edge has the
 * answer of the f64 edge. edges[bins] and what follows are NaN, which nothing reaches. */
struct hd_keys_f32 {
  f32 first, last, origin, scale;
  const f32 *edges;
};
struct hd_keys_f64 {
  f64 first, last, origin, scale;
  const f64 *edges;
};

/* Even bins (proof in docs/histogram.md): t = (x - origin) * scale is the position in units of
 * 2^-fraction bins. `margin` exceeds the distance of every edge's t from where it ought to be, so
 * that an element whose t is farther than that from a whole bin is in bin t >> fraction; the others
 * have keep & (t + margin) == 0, and one comparison with an edge settles them.
 *
 * Cells: a monotone function cuts the range into cells; cells[c] is the bin at the cell's start,
 * its top bit set if edges lie inside, which a binary search from `step` on settles.
 *
 * Integers: bins hold least .. most of the element's type, least in bin `skip`. */
struct hd_index {
  u32 bins;
  u32 shift; /* slot numbers leave multiplied by 2^shift */
  struct hd_keys_f32 key_f32;
  struct hd_keys_f64 key_f64;

  u32 fraction, margin, keep, limit;

  const u32 *cells;
  u32 cell_last, step;
  bool by_bits; /* the cell comes from the bits of x, not from (x - origin) * scale */
  u32 bits_shift;
  i64 bits_origin;

  bool none_inside; /* no value of the type has a bin: all go to slot `skip` */
  u64 least, most;  /* as the type's bits, sign-extended */
  u32 skip;
};

#define HD_CELL_SPLIT 0x80000000u

struct hd_range {
  f64 lo, hi; /* of the finite values seen; lo > hi: none */
};

/* index[i] = slot(in[i]) << shift for i < n; whole vectors may be written. */
typedef void hd_index_kernel(const struct hd_index *p, const void *in, size_t n, u32 *index);
/* Widens *range by the finite values, or by the positive finite ones. */
typedef void hd_range_kernel(const void *in, size_t n, bool positive, struct hd_range *range);

struct hd_histogram_kernels {
  hd_index_kernel *even[HD_TYPE_COUNT];    /* NULL for types of 8 bits */
  hd_index_kernel *cells[HD_TYPE_COUNT];   /* the same */
  hd_index_kernel *integer[HD_TYPE_COUNT]; /* integers of 16 to 64 bits */
  hd_range_kernel *range[HD_TYPE_COUNT];
  size_t (*equal)(const u32 *index, size_t n, u32 value); /* how many are `value` */
  size_t (*drop)(u32 *index, size_t n, u32 value);        /* takes them out; what is left */
};

#endif
