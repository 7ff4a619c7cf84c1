/* gather.h - blocks of elements that lie apart */
#ifndef HEDDLE_CPU_HISTOGRAM_AXES_GATHER_H
#define HEDDLE_CPU_HISTOGRAM_AXES_GATHER_H

#include <stddef.h>

/* to[i] = from[i * stride], i < n, of elements of 1, 2, 4 or 8 bytes that may be unaligned. */
void hd_cpu_gather_apart(size_t element_bytes, const void *from, ptrdiff_t stride, size_t n,
                         void *to);

#endif
