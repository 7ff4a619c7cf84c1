/* kernels.h - what each ISA object exports for exact sums */
#ifndef HEDDLE_CPU_EXACT_KERNELS_H
#define HEDDLE_CPU_EXACT_KERNELS_H

#include "order/exact/sum.h"
#include "order/types.h"

enum {
  HD_EXACT_BLOCK = 2048, /* elements of a block: they stay in L1 for a second look */
  HD_EXACT_BLOCK_BITS = 11,
  HD_EXACT_LEVELS = 3,                        /* windows at most */
  HD_EXACT_PARTS = 2 * (HD_EXACT_LEVELS + 1), /* that a block becomes, at most */
  HD_EXACT_LANES = 16                         /* a vector's f64, of any set, twice over */
};

/* What the last block was like, for the next one: with how many windows it was summed, and the power of two
 * that its elements stayed below. Zeros at the start. */
struct hd_exact_guess {
  u32 levels;
  i32 top;
};

struct hd_cpu_exact_kernel {
  u32 element_bytes;
  struct hd_exact_format format; /* of an element */
  bool products;
  /* part[..] = f64 numbers whose real sum is that of the n elements x, or products x y, n from 1 to
   * HD_EXACT_BLOCK; returns how many. 0: elements lie too far apart for windows, or are no numbers. */
  u32 (*block)(struct hd_exact_guess *guess, const void *x, const void *y, size_t n,
               f64 part[HD_EXACT_PARTS]);
  /* Element by element, whatever they are. */
  void (*each)(struct hd_exact *sum, struct hd_exact_span span, const void *x, const void *y,
               size_t n);
  const char *name, *file; /* "exact_sum_f32"; the template, below src */
};

/* Sums and products of one type. */
struct hd_cpu_exact {
  const struct hd_cpu_exact_kernel *sum[2], *dot[2]; /* [skip] */
};

#endif
