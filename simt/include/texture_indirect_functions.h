/* Texture and surface functions, which every CUDA source already has. */
#ifndef SIMT_TEXTURE_INDIRECT_FUNCTIONS_H
#define SIMT_TEXTURE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
