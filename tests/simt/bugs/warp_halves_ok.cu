// find: nothing
// The halves of a warp synchronise themselves with masks of their own and share nothing.
#include <cstdio>
#include <vector>

__global__ void halves(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x, half = t % 32 / 16, at = t % 16, base = t - at;
  const unsigned mask = half ? 0xffff0000u : 0x0000ffffu;
  s[t] = in[t];
  __syncwarp(mask);
  for (int d = 1; d < 16; d *= 2) {
    const int v = at >= d ? s[base + at - d] : 0;
    __syncwarp(mask);
    s[t] += v;
    __syncwarp(mask);
  }
  out[t] = s[t];
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
  halves<<<1, 64>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
