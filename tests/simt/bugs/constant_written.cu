// find: constant-write constant
// find: constant-write constant
// find: constant-write constant
// text: __constant__ variable
// Kernels write into tables in constant memory: by name, through a pointer, and atomically.
#include <cstdio>

__constant__ int table[4] = {1, 2, 3, 4};
__constant__ float factors[2];
__device__ int sums[4];

__device__ void store(float *p, float v) { *p = v; } // BUG 2

__global__ void fill() {
  table[threadIdx.x] = threadIdx.x;                        // BUG 1
  if (threadIdx.x < 2) store(&factors[threadIdx.x], 0.5f); // BUG? 2
}

__global__ void add() {
  atomicAdd(&sums[threadIdx.x % 4], table[threadIdx.x % 4]);
  atomicAdd(&table[threadIdx.x % 4], 1); // BUG 3
}

int main() {
  int host[4];
  fill<<<1, 4>>>();
  add<<<1, 32>>>();
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpyFromSymbol(host, sums, sizeof host);
  std::printf("%d\n", host[2]);
  return 0;
}
