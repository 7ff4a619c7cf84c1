// find: race shared read/write barrier
// Thread 0 clears the flag of the next round while others still test that of this one.
// Fixed: A flag for each round of a relaxation, with a barrier between the test and the next
// clearing.
#include <cstdio>
#include <vector>

__global__ void spread(const int *in, int *out) {
  __shared__ int level[66];
  __shared__ int changed;
  const int t = threadIdx.x + 1;
  int rounds = 0;
  level[t] = in[threadIdx.x];
  if (threadIdx.x == 0) level[0] = level[65] = 0;
  __syncthreads();
  for (int round = 0; round < 8; ++round) {
    if (threadIdx.x == 0) changed = 0; // BUG
    __syncthreads();
    const int best = max(level[t - 1], level[t + 1]) - 1;
    __syncthreads();
    if (best > level[t]) {
      level[t] = best;
      atomicExch(&changed, 1);
    }
    __syncthreads();
    rounds += changed; // BUG
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[threadIdx.x] = level[t] + rounds;
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
  spread<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
