/* kernels.h - what an ISA object gives to selects and to runs: bits of elements, and elements by bits */
#ifndef HEDDLE_CPU_SELECT_KERNELS_H
#define HEDDLE_CPU_SELECT_KERNELS_H

#include "order/types.h"

/* An element is in if key - low <= span, of unsigned integers as wide as the element, and with `invert` if it is
 * not. An integer's key is its bits; a float's too, negative ones with all but the sign flipped. */
struct hd_cpu_key_range {
  u64 low, span;
  bool invert;
};

/* Bit i % 64 of masks[i / 64] is element i's, of n; no other is set. Return how many are. */
typedef size_t hd_cpu_masks_kernel(const void *x, size_t n, const struct hd_cpu_key_range *range,
                                   u64 *masks);
/* An element is in that differs from the one before it: the first one, n > 0, from *before; NULL: there is none. */
typedef size_t hd_cpu_heads_kernel(const void *x, size_t n, const void *before, u64 *masks);
/* The elements whose bits are set, `found` of n, one behind the other; `out` may be at or below `in`. */
typedef void hd_cpu_pack_kernel(const void *in, size_t n, const u64 *masks, size_t found,
                                void *out);
/* Their positions, first + i. */
typedef void hd_cpu_positions_kernel(u64 first, size_t n, const u64 *masks, size_t found,
                                     void *out);

enum {
  HD_PACKED_SIZES = 5, /* of elements: 1, 2, 4, 8 and 16 bytes */
  HD_SELECT_AHEAD =
      2048 /* bytes to fetch ahead: comparisons outrun the processor's own prefetching */
};
struct hd_cpu_select_kernels {
  hd_cpu_masks_kernel *masks[HD_TYPE_COUNT];
  hd_cpu_heads_kernel *heads[HD_TYPE_COUNT];
  hd_cpu_pack_kernel *pack[HD_PACKED_SIZES];
  hd_cpu_positions_kernel *index[2]; /* of 4 and of 8 bytes */
};
extern const struct hd_cpu_select_kernels hd_cpu_select_kernels_scalar, hd_cpu_select_kernels_neon,
    hd_cpu_select_kernels_avx2, hd_cpu_select_kernels_avx512;

#endif
