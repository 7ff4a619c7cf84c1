// find: use-after-free|bad-call|unchecked-error
// cudaMemset of memory that has been freed.
#include <cstdio>

__global__ void nothing(int *x) { x[threadIdx.x] = 0; }

int main() {
  int *x;
  cudaMalloc(&x, 128);
  nothing<<<1, 32>>>(x);
  cudaDeviceSynchronize();
#ifndef FIXED
  cudaFree(x);
#endif
  cudaMemset(x, 0, 128); // BUG
  printf("%d\n", cudaGetLastError() == cudaErrorUnknown);
#ifdef FIXED
  cudaFree(x);
#endif
}
