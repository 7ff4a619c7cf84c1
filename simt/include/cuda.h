/* What programs of the runtime API use of the driver API's header: its version and type names.
 *
 * Limits   no function of the driver API is declared: calling one does not compile
 * Source   CUDA Driver API 13.0
 */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H
#define __cuda_cuda_h__ /* asked for by headers that programs share */

#include "driver_types.h"
#include <stdint.h>
#include <stdlib.h>

#define CUDA_VERSION 13000
#define CUDA_CB
#define CUDAAPI

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;

#endif
