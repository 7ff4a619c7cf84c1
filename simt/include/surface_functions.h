/* Texture and surface functions, which every CUDA source already has. */
#ifndef SIMT_SURFACE_FUNCTIONS_H
#define SIMT_SURFACE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
