/* threadIdx and its kin, which every CUDA source already has. */
#ifndef SIMT_DEVICE_LAUNCH_PARAMETERS_H
#define SIMT_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "simt/abi.h"
#include "vector_types.h"

#endif
