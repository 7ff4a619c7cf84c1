// find: nothing
// As divergence_group_sync.cu without the bug.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void groups(int *data) {
  cg::thread_block block = cg::this_thread_block();
  data[block.thread_rank()] = 1;
  block.sync();
  if (block.thread_rank() < 50) data[block.thread_rank()] += 1;
}

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  groups<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
