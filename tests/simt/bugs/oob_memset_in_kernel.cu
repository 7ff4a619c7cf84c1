// find: out-of-bounds
// memset in a kernel with the size of the wrong type.
#include <cstdio>

__global__ void reset(int *counts, int n) {
#ifdef FIXED
  if (threadIdx.x == 0) memset(counts, 0, n * sizeof(int));
#else
  if (threadIdx.x == 0) memset(counts, 0, n * sizeof(long long)); // BUG
#endif
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
