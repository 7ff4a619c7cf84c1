// find: uninitialised
// Memory of a pool, used before it is filled.
#include <cstdio>

__global__ void halve(float *x) {
  x[threadIdx.x] *= 0.5f; // BUG
}

int main() {
  cudaStream_t s;
  float *x;
  cudaStreamCreate(&s);
  cudaMallocAsync(&x, 128 * sizeof(float), s);
#ifdef FIXED
  cudaMemsetAsync(x, 0, 128 * sizeof(float), s);
#endif
  halve<<<1, 128, 0, s>>>(x);
#ifndef FIXED
  cudaMemsetAsync(x, 0, 128 * sizeof(float), s);
#endif
  cudaFreeAsync(x, s);
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(s)));
  cudaStreamDestroy(s);
}
