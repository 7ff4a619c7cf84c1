// find: race global read/write blocks
// flags: -rdc=true
// A cooperative kernel synchronises its block where the whole grid is meant.
// Fixed: A cooperative kernel with grid.sync() between its steps.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void jacobi(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int s = 0; s < steps; ++s) {
    if (i > 0 && i < n - 1) b[i] = 0.5f * (a[i - 1] + a[i + 1]); // BUG
#ifdef FIXED
    grid.sync();
#else
    cg::this_thread_block().sync();
#endif
    float *c = a;
    a = b;
    b = c;
  }
}

int main() {
  int n = 128, steps = 4;
  std::vector<float> host(n, 0.0f);
  host[0] = 1.0f;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  void *arguments[] = {&a, &b, &n, &steps};
  if (cudaLaunchCooperativeKernel((void *)jacobi, dim3(2), dim3(64), arguments) != cudaSuccess)
    return 1;
  cudaMemcpy(host.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[1], host[n - 2]);
  cudaFree(a);
  cudaFree(b);
}
