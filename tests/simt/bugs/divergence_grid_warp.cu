// find: barrier-divergence
// One warp of each block waits for the grid, in a function; the others go on.
// Fixed: All warps wait for the grid.
#include <cstdio>

#include <cooperative_groups.h>

__device__ void wait_for_all() { cooperative_groups::this_grid().sync(); } // BUG

__global__ void phases(int *data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  wait_for_all();
#else
  if (threadIdx.x / 32 == 1) wait_for_all();
#endif
  data[i] = i;
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 256 * sizeof(int));
  void *arguments[] = {&data};
  cudaLaunchCooperativeKernel(phases, 4, 64, arguments);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
