// find: race global read/write blocks
// flags: -rdc=true
// Partial sums of all blocks are added before the grid has met.
// Fixed: Partial sums of all blocks are added behind grid.sync().
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void total(const int *in, int *partial, int *out) {
  cg::grid_group grid = cg::this_grid();
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int sum = cg::reduce(warp, in[grid.thread_rank()], cg::plus<int>());
  const unsigned place = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (warp.thread_rank() == 0) partial[place] = sum; // BUG
#ifdef FIXED
  grid.sync();
#endif
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x * warp.meta_group_size(); ++i) all += partial[i]; // BUG
    *out = all;
  }
}

int main() {
  int *in, *partial, *out;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&partial, 8 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 256; ++i) in[i] = i;
  void *arguments[] = {&in, &partial, &out};
  cudaError_t error = cudaLaunchCooperativeKernel((const void *)total, 4, 64, arguments, 0, 0);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%d %s\n", *out, cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
  return error != cudaSuccess;
}
