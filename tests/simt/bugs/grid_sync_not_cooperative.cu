// find: bad-call
// text: cudaLaunchCooperativeKernel
// Blocks wait for each other at the grid's barrier in an ordinary launch, which a GPU ends with an error.
// Fixed: the launch is cooperative.
#include <cstdio>

#include <cooperative_groups.h>

__global__ void ring(int *data) { // BUG
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i;
  cooperative_groups::this_grid().sync(); // BUG
  const int next = data[(i + 1) % n];
  cooperative_groups::this_grid().sync(); // BUG?
  data[i] += next;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 1;
  void *arguments[] = {&data};
#ifdef FIXED
  cudaLaunchCooperativeKernel(ring, 4, 64, arguments);
#else
  cudaLaunchKernel(ring, 4, 64, arguments);
#endif
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
