/* partition.h - arrays that are larger than a cache, as buckets that are not
 *
 * Used by sort.c alone; what it needs of memory is asked by call.c. */
#ifndef HEDDLE_CPU_SORT_PARTITION_H
#define HEDDLE_CPU_SORT_PARTITION_H

#include "sort.h"

/* Bytes beside the items that sorting n > near_items of them takes. */
size_t hd_cpu_sort_partition_bytes(const struct hd_cpu_sort_call *call, size_t n);

#endif
