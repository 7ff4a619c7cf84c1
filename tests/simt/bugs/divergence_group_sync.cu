// find: barrier-divergence
// The sync() of the block's group in a branch.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void groups(int *data) {
  cg::thread_block block = cg::this_thread_block();
  data[block.thread_rank()] = 1;
#ifdef FIXED
  block.sync();
  if (block.thread_rank() < 50) data[block.thread_rank()] += 1;
#else
  if (block.thread_rank() < 50) block.sync(); // BUG
  data[block.thread_rank()] += 1;
#endif
} // BUG?

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
