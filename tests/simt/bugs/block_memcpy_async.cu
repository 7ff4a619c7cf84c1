// find: race shared read/write copy
// memcpy_async of a group is read before cg::wait.
// Fixed: memcpy_async of a group, cg::wait, use, and a barrier before the next one.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out) {
  __shared__ int tile[64];
  cg::thread_block block = cg::this_thread_block();
  int sum = 0;
  for (int first = 0; first < 256; first += 64) {
    cg::memcpy_async(block, tile, in + first, sizeof(int) * 64); // BUG
#ifdef FIXED
    cg::wait(block);
#endif
    sum += tile[63 - block.thread_rank()]; // BUG
#ifndef FIXED
    cg::wait(block);
#endif
    block.sync();
  }
  out[block.thread_rank()] = sum;
}

int main() {
  const int n = 256;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  sums<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
