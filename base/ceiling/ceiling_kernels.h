/* ceiling_kernels.h - what each instruction set supplies to ceiling.c */
#ifndef HEDDLE_BASE_CEILING_KERNELS_H
#define HEDDLE_BASE_CEILING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/ceiling/ceiling.h"

/* One loop over `bytes` bytes; a reading one returns the sum of them as
 * 64-bit words and of the bytes after those, a copying one 0. */
typedef uint64_t ceiling_kernel(unsigned char *to, const unsigned char *from, size_t bytes);

struct ceiling_kernels {
  ceiling_kernel *loop[CEILING_LOOPS];
};

extern const struct ceiling_kernels ceiling_plain;
#if defined(__x86_64__)
extern const struct ceiling_kernels ceiling_avx2, ceiling_avx512;
#endif

#endif
