// find: barrier-divergence
// Both branches have a barrier: not the same one.
// Fixed: A whole block takes one branch or the other.
#include <cstdio>

__global__ void branches(int *data) {
  const int i = threadIdx.x;
#ifdef FIXED
  if (blockIdx.x % 2) {
    data[i + 128] = 1;
#else
  if (i % 2) {
    data[i] = 1;
#endif
    __syncthreads(); // BUG
  } else {
    data[i] = 2;
    __syncthreads(); // BUG
  }
#ifndef FIXED
  data[i] += i;
#endif
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
#ifdef FIXED
  branches<<<2, 64>>>(data);
#else
  branches<<<1, 64>>>(data);
#endif
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
