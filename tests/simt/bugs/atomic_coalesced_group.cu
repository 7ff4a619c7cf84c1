// find: race global write/write
// All odd ones store their index at one of three places; which one stays is chance.
// Fixed: The first lane of a coalesced group adds for all of them; the largest index stays.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void odd_ones(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 2 == 1) {
    auto active = cg::coalesced_threads();
#ifdef FIXED
    if (active.thread_rank() == 0) atomicAdd(&out[0], active.size());
    atomicMax(&out[1 + in[i] % 3], i);
#else
    out[1 + in[i] % 3] = i; // BUG
#endif
  }
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  odd_ones<<<2, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
