// find: race global
// A cooperative solver adds its dot product by atomics and uses it before the grid has met.
// Fixed: A cooperative solver: dot products by atomics, grid.sync() before their use and before
// they are cleared.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ void dot(const float *a, const float *b, float *result, int n, cg::grid_group grid) {
  float sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += a[i] * b[i];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(result, sum); // BUG
}

__global__ void normalise(float *v, float *sums, int n, int rounds) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    dot(v, v, &sums[round], n, grid);
#ifdef FIXED
    grid.sync();
#endif
    const float scale = rsqrtf(sums[round] + 1.0f); // BUG
#ifndef FIXED
    grid.sync();
#endif
    for (int i = grid.thread_rank(); i < n; i += grid.size()) v[i] *= scale;
    grid.sync();
  }
}

int main() {
  int n = 256, rounds = 3;
  float *v, *sums;
  cudaMallocManaged(&v, n * sizeof(float));
  cudaMallocManaged(&sums, rounds * sizeof(float));
  for (int i = 0; i < n; ++i) v[i] = i % 4;
  for (int i = 0; i < rounds; ++i) sums[i] = 0;
  void *arguments[] = {&v, &sums, &n, &rounds};
  if (cudaLaunchCooperativeKernel((void *)normalise, 2, 64, arguments) != cudaSuccess) return 1;
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%g %g\n", v[1], sums[rounds - 1]);
  cudaFree(v);
  cudaFree(sums);
}
