/* index.h - the tables and numbers by which elements find their slots
 *
 * Slots are the bins, then one each for values below, above, and NaN. Both back ends read these
 * numbers; docs/histogram.md has the proofs. */
#ifndef HEDDLE_BINS_INDEX_H
#define HEDDLE_BINS_INDEX_H

#include "order/types.h"

enum {
  HD_SLOT_UNDER = 0,
  HD_SLOT_OVER = 1,
  HD_SLOT_NAN = 2,
  HD_EXTRA_SLOTS = 3
}; /* bins + these */

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
 * Buckets: a monotone function cuts the range into buckets; buckets[c] is the bin at the bucket's start,
 * its top bit set if edges lie inside, which a binary search from `step` on settles.
 *
 * Integers: bins hold least .. most of the element's type, least in bin `skip`. */
struct hd_index {
  u32 bins;
  u32 shift; /* slot numbers leave multiplied by 2^shift */
  struct hd_keys_f32 key_f32;
  struct hd_keys_f64 key_f64;

  u32 fraction, margin, keep, limit;
  u32 lift, doubt; /* one-sided: only where (t + lift) & doubt == 0 an inner edge is near */

  const u32 *buckets;
  u32 bucket_last, step;
  bool by_bits; /* the bucket comes from the bits of x, not from (x - origin) * scale */
  u32 bits_shift;
  i64 bits_origin;

  bool none_inside; /* no value of the type has a bin: all go to slot `skip` */
  u64 least, most;  /* as the type's bits, sign-extended */
  u32 skip;
};

#define HD_BUCKET_SPLIT 0x80000000u

#endif
