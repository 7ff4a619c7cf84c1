/* kernels.h - what an ISA object gives to order statistics: reads of keys
 *
 * Keys are those of cpu/sort/kernels.h: unsigned integers of 32 or 64 bits, whose order is that of a sort. */
#ifndef HEDDLE_CPU_RANK_KERNELS_H
#define HEDDLE_CPU_RANK_KERNELS_H

#include "order/types.h"

enum {
  HD_RANK_SLACK = 16,     /* keys, or places, that may be written behind those that are kept */
  HD_RANK_DIGIT_MOST = 16 /* bits */
};

/* Of n < 2^31 keys. */
struct hd_cpu_rank_kernel {
  /* How many lie from low to low + width, which go to out in their order; NULL: they are counted alone. *below
   * gains how many are below low. */
  size_t (*within)(const void *keys, size_t n, u64 low, u64 width, void *out, u64 *below);
  /* Where those are that are not above `most`, in order; how many. */
  size_t (*up_to)(const void *keys, size_t n, u64 most, u32 *places);
  /* counts[..] gain the digits of `bits` bits from `shift` on, of keys that are `prefix` above them; above is
   * shift + bits, of at most 64. */
  void (*digits)(const void *keys, size_t n, u32 shift, u32 bits, u64 prefix, u64 *counts);
};

struct hd_cpu_rank_kernels {
  struct hd_cpu_rank_kernel of[2]; /* keys of 32 bits, and of 64 */
};

#endif
