// find: race global read/write syncwarp
// Lanes of a warp exchange values through global memory without __syncwarp.
// Fixed: Lanes of a warp exchange values through global memory around a __syncwarp.
#include <cstdio>
#include <vector>

__global__ void pairs(const int *in, int *out) {
  const int i = threadIdx.x;
  out[i] = in[i] * 3; // BUG
#ifdef FIXED
  __syncwarp();
#endif
  const int other = out[i ^ 1]; // BUG
  __syncwarp();
  out[i] += other;
}

int main() {
  const int n = 32;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  pairs<<<1, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
