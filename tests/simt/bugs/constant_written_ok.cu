// find: nothing
// The host writes constant memory before and between launches; kernels write other tables.
#include <cstdio>

__constant__ int table[4] = {1, 2, 3, 4};
__constant__ float factors[2];
__device__ int sums[4], changed[4];
__device__ float scaled[2];

__device__ void store(float *p, float v) { *p = v; }

__global__ void fill() {
  changed[threadIdx.x] = table[threadIdx.x] + threadIdx.x;
  if (threadIdx.x < 2) store(&scaled[threadIdx.x], factors[threadIdx.x]);
}

__global__ void add() {
  atomicAdd(&sums[threadIdx.x % 4], table[threadIdx.x % 4]);
  atomicAdd(&changed[threadIdx.x % 4], 1);
}

int main() {
  int host[4] = {5, 6, 7, 8};
  const float half[2] = {0.5f, 0.25f};
  cudaMemcpyToSymbol(factors, half, sizeof half);
  fill<<<1, 4>>>();
  cudaMemcpyToSymbol(table, host, sizeof host);
  cudaMemcpyToSymbol(factors, half, sizeof half);
  add<<<1, 32>>>();
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpyFromSymbol(host, sums, sizeof host);
  std::printf("%d\n", host[2]);
  return 0;
}
