// find: warp-mask
// A tile's shuffle that only some of its lanes call.
#include <cstdio>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tiles(int *data) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = threadIdx.x;
#ifdef FIXED
  if (tile.thread_rank() < 8) {
    auto active = cg::coalesced_threads();
    v += active.shfl(v, 1);
  }
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  tile.sync();
#else
  if (tile.thread_rank() < 8) v += tile.shfl_xor(v, 1); // BUG
#endif
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
