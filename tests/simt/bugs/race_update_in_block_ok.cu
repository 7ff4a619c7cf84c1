// find: nothing
// A block counts with atomicAdd.
#include <cstdio>

__device__ int hits;

__global__ void count(int n) {
  int i = threadIdx.x;
  if (i < n) atomicAdd(&hits, 1);
}

int main() {
  int host = 0;
  count<<<1, 64>>>(40);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpyFromSymbol(&host, hits, sizeof host);
  std::printf("%d\n", host);
  return 0;
}
