/* cudaProfilerStart and cudaProfilerStop, which do nothing here: cuda_runtime_api.h has them.
 *
 * Source   CUDA Runtime API 13.0, section Profiler Control
 */
#ifndef SIMT_CUDA_PROFILER_API_H
#define SIMT_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
