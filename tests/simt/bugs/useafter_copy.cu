// find: use-after-free|bad-call|unchecked-error
// The result is copied from memory that has been freed.
#include <cstdio>

__global__ void ones(float *x) { x[threadIdx.x] = 1; }

int main() {
  float h[64] = {0}, *x;
  cudaMalloc(&x, sizeof h);
  ones<<<1, 64>>>(x);
  cudaDeviceSynchronize();
#ifndef FIXED
  cudaFree(x);
#endif
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost); // BUG
  printf("%g\n", h[0]);
#ifdef FIXED
  cudaFree(x);
#endif
  return cudaGetLastError() == cudaErrorUnknown;
}
