// find: race shared read/write barrier
// A tile of 16 lanes synchronises itself; what it reads comes from another warp.
// Fixed: Tiles of 16 lanes exchange their elements through shared memory, each within itself.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

using namespace cooperative_groups;

__global__ void tiles(const int *in, int *out) {
  __shared__ int s[64];
  thread_block block = this_thread_block();
  thread_block_tile<16> tile = tiled_partition<16>(block);
  const int t = threadIdx.x, base = t - tile.thread_rank();
  s[t] = in[t]; // BUG
  tile.sync();
#ifdef FIXED
  out[t] = s[base + 15 - tile.thread_rank()];
#else
  out[t] = s[(t + 32) % 64]; // BUG
#endif
}

int main() {
  const int n = 64;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  tiles<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
