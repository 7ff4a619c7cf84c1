// find: race global read/write blocks
// A smoothing step in place: the neighbours' elements are read while they are written.
// Fixed: A smoothing step from one array into another.
#include <cstdio>
#include <vector>

__global__ void smooth(float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    float mean = (in[i - 1] + in[i] + in[i + 1]) / 3; // BUG
#ifndef FIXED
    in[i] = mean; // BUG
#endif
    out[i] = mean;
  }
}

int main() {
  const int n = 256;
  std::vector<float> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 17);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  smooth<<<4, 64>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
