// find: barrier-divergence
// The grid's barrier stands in a branch that half of each block's threads take.
// Fixed: The branch ends before the grid's barrier and begins anew behind it.
#include <cstdio>

#include <cooperative_groups.h>

__global__ void exchange(int *data) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  int old = 0;
  if (i % 2 == 0) old = data[i ^ 2];
  grid.sync();
  if (i % 2 == 0) data[i] = old + i;
#else
  if (i % 2 == 0) {
    const int old = data[i ^ 2];
    grid.sync(); // BUG
    data[i] = old + i;
  }
#endif
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 256 * sizeof(int));
  void *arguments[] = {&data};
  cudaLaunchCooperativeKernel(exchange, 4, 64, arguments);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
