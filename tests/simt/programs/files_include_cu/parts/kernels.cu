// Included, not compiled by itself.
#ifndef KERNELS_CU
#define KERNELS_CU
#include "config.h"
#include "functors.inl"

__global__ void fill(float *p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) p[i] = i;
}

template <class F> __global__ void apply(float *p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) p[i] = F()(p[i]);
}
#endif
