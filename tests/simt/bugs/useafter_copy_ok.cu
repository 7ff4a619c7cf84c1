// find: nothing
// useafter_copy.cu without its bug, which is: the result is copied from memory that has been
// freed.
#include <cstdio>

__global__ void ones(float *x) { x[threadIdx.x] = 1; }

int main() {
  float h[64] = {0}, *x;
  cudaMalloc(&x, sizeof h);
  ones<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(x);
  return cudaGetLastError() == cudaErrorUnknown;
}
