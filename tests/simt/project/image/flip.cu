/* The same kernel with its barrier and without. */
#include "flip.h"
template <bool BARRIER> __global__ void reverse(int *x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (BARRIER) __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}
int flip(bool with_barrier) {
  int *x, host[64];
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  if (with_barrier)
    reverse<true><<<1, 64>>>(x);
  else
    reverse<false><<<1, 64>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(x);
  return host[0];
}
