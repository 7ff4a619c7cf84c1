/* values.h - how often each bit pattern of elements of one or two bytes occurs, for other primitives */
#ifndef HEDDLE_CUDA_HISTOGRAM_VALUES_H
#define HEDDLE_CUDA_HISTOGRAM_VALUES_H

#include "cuda/core/choice.h"

/* Device memory that this takes. */
u64 hd_cuda_histogram_values_bytes(u32 element_bytes);
/* Queues it for n elements of the device, at least one: counts[p], u64 and in the memory given, of pattern p. */
heddle_status hd_cuda_histogram_values(struct hd_cuda_call *call, u32 element_bytes, cu_pointer in,
                                       u64 n, cu_pointer memory, cu_pointer *counts);
/* Its first launch. */
heddle_status hd_cuda_histogram_values_choose(struct hd_cuda_call *call, u32 element_bytes, u64 n,
                                              struct hd_cuda_choice *first);

#endif
