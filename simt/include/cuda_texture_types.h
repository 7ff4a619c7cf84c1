/* The names of texture and surface types, which driver_types.h already has. */
#ifndef SIMT_CUDA_TEXTURE_TYPES_H
#define SIMT_CUDA_TEXTURE_TYPES_H

#include "cuda_runtime.h"

#endif
