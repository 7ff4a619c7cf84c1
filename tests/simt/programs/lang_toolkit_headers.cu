// Headers that programs include by habit, and the macros that say which toolkit this is.
// expect: pass
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_atomic_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <host_defines.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_30_intrinsics.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <cstdio>

#if !defined(__CUDACC__) || !defined(__NVCC__)
#error not CUDA
#endif
#if CUDA_VERSION < 12000 || CUDART_VERSION < 12000
#error old
#endif
#if __CUDACC_VER_MAJOR__ < 12 || !defined(__CUDACC_VER_MINOR__)
#error old compiler
#endif
// What helper headers of the samples test for.
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__)
#error include guards
#endif

__global__ void k(float *p) {
  p[0] = CUDART_PI_F;
  p[1] = CUDART_INF_F;
  p[2] = __half2float(__float2half(2.0f));
}

int main() {
  float *p;
  cudaProfilerStart();
  cudaMallocManaged(&p, 3 * sizeof(float));
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  cudaProfilerStop();
  bool ok = p[0] > 3.14159f && p[0] < 3.1416f && p[1] > 1e38f && p[2] == 2.0f;
  printf("CUDA %d, runtime %d, compiler %d.%d\n%s\n", CUDA_VERSION, CUDART_VERSION,
         __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, ok ? "PASSED" : "FAILED");
  cudaFree(p);
  return !ok;
}
