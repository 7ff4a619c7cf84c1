/* The runtime API in kernels, of which every CUDA source already has what there is. */
#ifndef SIMT_CUDA_DEVICE_RUNTIME_API_H
#define SIMT_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#endif
