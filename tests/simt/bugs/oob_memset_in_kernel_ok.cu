// find: nothing
// oob_memset_in_kernel.cu without its bug, which is: memset in a kernel with the size of the wrong
// type.
#include <cstdio>

__global__ void reset(int *counts, int n) {
  if (threadIdx.x == 0) memset(counts, 0, n * sizeof(int));
  __syncthreads();
  atomicAdd(&counts[threadIdx.x % n], 1);
}

int main() {
  const int n = 10;
  int h[n], *counts;
  cudaMalloc(&counts, n * sizeof(int));
  reset<<<1, 64>>>(counts, n);
  cudaMemcpy(h, counts, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
  cudaFree(counts);
}
