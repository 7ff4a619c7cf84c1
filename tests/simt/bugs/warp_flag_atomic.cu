// find: race shared read/write
// A warp waits for a counter that the others raise before their stores, not behind them.
// Fixed: A warp waits for a counter that the others raise behind their stores and a fence.
#include <cstdio>
#include <vector>

__global__ void gather(const int *in, int *out) {
  __shared__ int part[96];
  __shared__ int done;
  const int t = threadIdx.x;
  if (t == 0) done = 0;
  __syncthreads();
  if (t < 96) {
#ifdef FIXED
    part[t] = in[t] + t;
    __threadfence_block();
#endif
    atomicAdd(&done, 1);
#ifndef FIXED
    part[t] = in[t] + t; // BUG
#endif
  } else {
    while (atomicAdd(&done, 0) < 96) {
    }
    __threadfence_block();
    out[t - 96] = part[t - 96] + part[t - 64] + part[t - 32]; // BUG
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
  gather<<<1, 128>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
