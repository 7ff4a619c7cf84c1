/* find.h - blocks of elements to slot numbers, by the strategy of a plan */
#ifndef HEDDLE_CPU_HISTOGRAM_FIND_H
#define HEDDLE_CPU_HISTOGRAM_FIND_H

#include "bins/plan.h"
#include "cpu/isa/kernels.h"

/* The kernel of the plan's strategy; NULL for 8-bit types and for few elements. */
hd_cpu_index_kernel *hd_cpu_find_kernel(const struct hd_plan *plan);

/* index[i] = slot << plan->index.shift for n <= HD_INDEX_BLOCK elements; index has HD_INDEX_ROOM. */
void hd_cpu_find_slots(const struct hd_plan *plan, hd_cpu_index_kernel *kernel, const void *in,
                       size_t n, u32 *index);

#endif
