/* weights.h - what a call leaves open: ranges of values, the exponent of weights */
#ifndef HEDDLE_CUDA_HISTOGRAM_WEIGHTS_H
#define HEDDLE_CUDA_HISTOGRAM_WEIGHTS_H

#include "launch.h"

/* A call's elements and, with weights, those. */
struct hd_cuda_histogram_arrays {
  struct hd_cuda_operand operand[2];
  unsigned operands;
  size_t count;
};

/* Slices of host arrays begin at multiples of so many elements. */
enum { HD_HISTOGRAM_GRANULE = 12 };

/* Queues the pass for the range of `count` elements. tables: as of hd_cuda_tables_find. range, f64[3], and
 * exponent, i32: where the result is to be, or 0. */
heddle_status hd_cuda_range_find(struct hd_cuda_call *call, heddle_type type,
                                 enum hd_cuda_range_of of, struct hd_cuda_operand *operand,
                                 size_t count, cu_pointer tables, cu_pointer range,
                                 cu_pointer exponent);

/* Settles the exponent of count->args. With elements and weights on the device it may be a guess:
 * count->args.attempt tells, and all is to be counted again with HD_ATTEMPT_AGAIN. */
heddle_status hd_cuda_weights_settle(struct hd_cuda_call *call, const struct hd_histogram *job,
                                     struct hd_cuda_histogram_arrays *a,
                                     const struct hd_cuda_tables *tables,
                                     struct hd_cuda_count *count);

#endif
