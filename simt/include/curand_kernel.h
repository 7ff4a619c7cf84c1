/* cuRAND's device API: see simt/random/random_device.hpp and simt/random/random_sobol.hpp. Without
 * MTGP32. */
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H
#include "simt/names_begin.inc"
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#endif

#include "curand.h"
#ifdef __cplusplus
#include "simt/random/random_device.hpp"
#include "simt/random/random_sobol.hpp"
#endif

#include "simt/names_end.inc"
#endif
