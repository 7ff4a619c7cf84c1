// find: nothing
// useafter_memset.cu without its bug, which is: cudaMemset of memory that has been freed.
#include <cstdio>

__global__ void nothing(int *x) { x[threadIdx.x] = 0; }

int main() {
  int *x;
  cudaMalloc(&x, 128);
  nothing<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaMemset(x, 0, 128);
  printf("%d\n", cudaGetLastError() == cudaErrorUnknown);
  cudaFree(x);
}
