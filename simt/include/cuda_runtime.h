/* What a CUDA program has without including anything.
 *
 * Result   the runtime API, vector types, device functions; of the standard headers those whose
 *          names CUDA programs take for granted
 * Source   CUDA C++ Programming Guide
 */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#include "simt/names_begin.inc"
#define __CUDA_RUNTIME_H__ /* asked for by headers that programs share */

#ifdef __cplusplus
#include <assert.h>
#include <cmath>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>
#else
#include <limits.h>
#include <stddef.h>
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#endif
#include "simt/atomic/atomic_builtins.hpp"
#include "simt/atomic/atomics.hpp"
#include "simt/math/math.hpp"
#include "simt/texture/texture_reference.hpp"
#include "simt/warp/lockstep.hpp"
#include "simt/warp/warp.hpp"
#endif

#include "simt/names_end.inc"
#endif
