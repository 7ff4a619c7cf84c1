/* move.h - a whole array between wherever it is and device memory */
#ifndef HEDDLE_CUDA_STAGING_MOVE_H
#define HEDDLE_CUDA_STAGING_MOVE_H

#include "cuda/core/cuda.h"

/* One array, of elements of one byte: from operand.in to device memory `at`, or to operand.out from there. Nothing
 * while preparing. */
heddle_status hd_cuda_move(struct hd_cuda_call *call, struct hd_cuda_operand operand, cu_pointer at,
                           size_t bytes);

#endif
