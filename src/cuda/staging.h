/* staging.h - host arrays on their way through pinned memory */
#ifndef HEDDLE_CUDA_STAGING_H
#define HEDDLE_CUDA_STAGING_H

#include "inside.h"

/* heddle_copy where one side is pageable memory and the other the device's. */
heddle_status hd_cuda_copy_pageable(struct hd_cuda_call *call, void *to, enum hd_place target,
                                    const void *from, size_t bytes);

#endif
