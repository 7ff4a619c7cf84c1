// find: race global read/write blocks
// A pixel's neighbour is read while another block may write it, in bytes of one word.
// Fixed: Blocks write neighbouring bytes of one word in global memory.
#include <cstdio>
#include <vector>

__global__ void threshold(unsigned char *in, unsigned char *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * width + x;
  if (x < width) out[i] = in[i] > 8 ? 255 : 0; // BUG
#ifndef FIXED
  if (x + 1 < width) in[i] = out[i + 1]; // BUG
#endif
}

int main() {
  const int n = 90;
  std::vector<unsigned char> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i % 17);
  unsigned char *in, *out;
  cudaMalloc(&in, n * sizeof(unsigned char));
  cudaMalloc(&out, n * sizeof(unsigned char));
  cudaMemcpy(in, host.data(), n * sizeof(unsigned char), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(unsigned char));
  threshold<<<dim3(10, 3), 3>>>(in, out, 30);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(unsigned char), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
