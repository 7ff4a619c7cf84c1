// find: barrier-divergence
// Half of the blocks go round the grid's barrier.
// Fixed: All blocks come to the grid's barrier, by two branches.
#include <cstdio>

#include <cooperative_groups.h>

__global__ void first_half(int *data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x < gridDim.x / 2) {
    data[i] = i;
    cooperative_groups::this_grid().sync(); // BUG
    data[i] += i;
#ifdef FIXED
  } else {
    cooperative_groups::this_grid().sync();
#endif
  }
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 256 * sizeof(int));
  void *arguments[] = {&data};
  cudaLaunchCooperativeKernel(first_half, 4, 64, arguments);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
