// find: race global barrier|syncwarp
// text: several threads change one element
// text: use an atomic operation (atomicAdd for ++ and +=)
// A block counts with ++: two threads that read the same number lose one. No barrier mends that.
// Fixed: A block counts with atomicAdd.
#include <cstdio>

__device__ int hits;

__global__ void count(int n) {
  int i = threadIdx.x;
#ifdef FIXED
  if (i < n) atomicAdd(&hits, 1);
#else
  if (i < n) hits++; // BUG
#endif
}

int main() {
  int host = 0;
  count<<<1, 64>>>(40);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpyFromSymbol(&host, hits, sizeof host);
  std::printf("%d\n", host);
  return 0;
}
