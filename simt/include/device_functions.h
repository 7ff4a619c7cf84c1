/* Device functions, which every CUDA source already has. */
#ifndef SIMT_DEVICE_FUNCTIONS_H
#define SIMT_DEVICE_FUNCTIONS_H
#define __DEVICE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
