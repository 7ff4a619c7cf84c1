/* threadIdx and its kin, which every CUDA source already has. */
#ifndef SIMT_DEVICE_LAUNCH_PARAMETERS_H
#define SIMT_DEVICE_LAUNCH_PARAMETERS_H

#include "simt/abi.h"
#include "vector_types.h"

#endif
