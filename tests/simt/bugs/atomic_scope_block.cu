// find: race global atomic/plain blocks
// Blocks add to their own counters atomically and read those of all others.
// Fixed: Blocks add to their own counters by block-scope atomics and read those behind a
// barrier.
#include <cstdio>
#include <vector>

__global__ void own_counters(const int *in, int *out, int *counters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(&counters[blockIdx.x], in[i] & 3); // BUG
  __syncthreads();
  out[i] = counters[blockIdx.x];
#ifndef FIXED
  if (i == 0) out[i] += counters[gridDim.x - 1]; // BUG
#endif
}

int main() {
  const int n = 128;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  int *in, *out, *counters;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&counters, 4 * sizeof(int));
  cudaMemset(counters, 0, 4 * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  own_counters<<<4, 32>>>(in, out, counters);
  cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", host[0], host[n - 1], cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(counters);
}
