// find: warp-mask
// A tile's shuffle that only some of its lanes call.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tiles(int *data) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = threadIdx.x;
  if (tile.thread_rank() < 8) v += tile.shfl_xor(v, 1); // BUG
  data[threadIdx.x] = v;
} // BUG?

int main() {
  int *data = nullptr;
  if (cudaMalloc(&data, 1024 * sizeof(int)) != cudaSuccess) return 1;
  cudaMemset(data, 0, 1024 * sizeof(int));
  tiles<<<1, 64>>>(data);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int first = -1;
  cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", first, cudaGetErrorString(error));
  cudaFree(data);
  return error != cudaSuccess;
}
