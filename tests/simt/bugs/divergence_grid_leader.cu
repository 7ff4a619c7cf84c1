// find: barrier-divergence
// Thread 0 of each block, which comes to the grid's barrier for the block, has returned.
// Fixed: Thread 0 has nothing to do and goes along.
#include <cstdio>

#include <cooperative_groups.h>

__global__ void inner(int *data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (threadIdx.x > 0) data[i] = i;
  cooperative_groups::this_grid().sync();
  if (threadIdx.x > 0) data[i] += i;
#else
  if (threadIdx.x == 0) return;
  data[i] = i;
  cooperative_groups::this_grid().sync(); // BUG
  data[i] += i;
#endif
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 256 * sizeof(int));
  void *arguments[] = {&data};
  cudaLaunchCooperativeKernel(inner, 4, 64, arguments);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
