// find: race shared read/write syncwarp
// The halves of a warp wait for themselves, then read what the other half wrote.
// Fixed: All 32 lanes wait for each other before they read.
#include <cstdio>
#include <vector>

__global__ void swap_halves(const float *in, float *out) {
  __shared__ float s[32];
  const unsigned lane = threadIdx.x;
#ifdef FIXED
  const unsigned mask = 0xffffffffu;
#else
  const unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
#endif
  s[lane] = in[lane] * 2; // BUG
  __syncwarp(mask);
  out[lane] = s[lane ^ 16]; // BUG
}

int main() {
  const int n = 32;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  swap_halves<<<1, 32>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
