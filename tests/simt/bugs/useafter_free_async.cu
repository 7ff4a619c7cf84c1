// find: use-after-free
// cudaFreeAsync stands before the last kernel of the same stream.
#include <cstdio>

__global__ void add(float *x, float v) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += v; // BUG
}

int main() {
  const int n = 512;
  float *x;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMallocAsync(&x, n * sizeof(float), s);
  cudaMemsetAsync(x, 0, n * sizeof(float), s);
  add<<<4, 128, 0, s>>>(x, 1);
#ifdef FIXED
  add<<<4, 128, 0, s>>>(x, 2);
#endif
  cudaFreeAsync(x, s);
#ifndef FIXED
  add<<<4, 128, 0, s>>>(x, 2);
#endif
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(s)));
  cudaStreamDestroy(s);
}
