// find: barrier-divergence
// Blocks without work return before the grid's barrier.
#include <cstdio>

#include <cooperative_groups.h>

__global__ void phases(int *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) data[i] = i;
  cooperative_groups::this_grid().sync();
  if (i < n) data[n + i] = data[n - 1 - i];
#else
  if (i >= n) return;
  data[i] = i;
  cooperative_groups::this_grid().sync(); // BUG
  data[n + i] = data[n - 1 - i];
#endif
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  int n = 64;
  void *arguments[] = {&data, &n};
  cudaLaunchCooperativeKernel(phases, 4, 32, arguments);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
