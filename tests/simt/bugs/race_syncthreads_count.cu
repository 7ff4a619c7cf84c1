// find: race shared read/write barrier
// The counting barrier stands before the stores, not between them and the loads.
// Fixed: __syncthreads_count is a barrier as well as a count.
#include <cstdio>
#include <vector>

__global__ void counted(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
#ifdef FIXED
  s[t] = in[63 - t];
#endif
  const int many = __syncthreads_count(in[t] > 5);
#ifndef FIXED
  s[t] = in[63 - t]; // BUG
#endif
  out[t] = s[63 - t] + many; // BUG
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
  counted<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
