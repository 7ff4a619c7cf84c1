/* make_cudaExtent and its kin: cuda_runtime_api.h has them. */
#ifndef SIMT_DRIVER_FUNCTIONS_H
#define SIMT_DRIVER_FUNCTIONS_H

#include "cuda_runtime_api.h"

#endif
