// find: race global atomic/plain blocks|barrier
// Warp-aggregated compaction: the leader adds atomically, but a thread reads the counter plainly.
// Fixed: Warp-aggregated compaction: one atomicAdd a warp, places by popcount of the votes.
#include <cstdio>
#include <vector>

__device__ int total;

__device__ int aggregated_place(bool wanted) {
  const unsigned lane = threadIdx.x & 31;
  const unsigned votes = __ballot_sync(0xffffffffu, wanted);
  if (!wanted) return -1;
  const int leader = __ffs(votes) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(&total, __popc(votes)); // BUG
  base = __shfl_sync(votes, base, leader);
  return base + __popc(votes & ((1u << lane) - 1));
}

__global__ void keep_large(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int place = aggregated_place(in[i] > 10);
  if (place >= 0) out[place] = in[i];
#ifndef FIXED
  if (i == 0) out[255] = total; // BUG
#endif
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
  keep_large<<<4, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
