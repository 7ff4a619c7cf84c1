/* cuRAND's device API: see simt/random_device.hpp. Sobol' and MTGP32 states are not here. */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include "curand.h"
#ifdef __cplusplus
#include "simt/random_device.hpp"
#endif

#endif
