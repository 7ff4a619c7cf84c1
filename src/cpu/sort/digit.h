/* digit.h - which bucket of a partition a key goes to */
#ifndef HEDDLE_CPU_SORT_DIGIT_H
#define HEDDLE_CPU_SORT_DIGIT_H

#include "kernels.h"

enum { HD_SORT_SAMPLE_MOST = 1 << 14 }; /* keys */

/* Keys of an array, and what is known of all of them. */
struct hd_cpu_sort_sample {
  u64 *key; /* & mask */
  size_t keys;
  size_t of;      /* items that they stand for */
  size_t wanted;  /* items of a bucket at most, where it can be had */
  u32 top;        /* bits from this one on are not sorted by */
  u32 most;       /* bits of a bucket's number */
  bool even_only; /* a bucket has the keys with one value of some bits, or all bits do */
  u32 *prefix;    /* memory for HD_SORT_PREFIXES of them */
};

/* Keys differ in `bits` and in none above these; shift and prefixes for such a key. */
struct hd_cpu_sort_digit hd_cpu_sort_digit_choose(const struct hd_cpu_sort_sample *sample,
                                                  u64 bits);

#endif
