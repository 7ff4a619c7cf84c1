/* parts.h - counting more counters than a few blocks have room for: grouped by ranges first */
#ifndef HEDDLE_CUDA_HISTOGRAM_PARTS_H
#define HEDDLE_CUDA_HISTOGRAM_PARTS_H

#include "choose.h"

/* Queues the counting of n elements at `in` into c->args.totals, without the output. */
heddle_status hd_cuda_histogram_parts(struct hd_cuda_count *c,
                                      const struct hd_cuda_count_choice *choice, cu_pointer in,
                                      u64 n);

#endif
