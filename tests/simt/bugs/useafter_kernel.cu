// find: use-after-free
// The memory is freed before the kernel that works on it is launched.
#include <cstdio>

__global__ void increment(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i]++; // BUG
}

int main() {
  const int n = 1000;
  int *x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 0, n * sizeof(int));
  increment<<<4, 256>>>(x, n);
  cudaDeviceSynchronize();
#ifndef FIXED
  cudaFree(x); // FREE
#endif
  increment<<<4, 256>>>(x, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef FIXED
  cudaFree(x);
#endif
}
