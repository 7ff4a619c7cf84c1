// find: race global write/write
// The stride is the block's size, not the grid's: the blocks work on the same elements.
// Fixed: A grid-stride loop.
#include <cstdio>
#include <vector>

__global__ void fill(const int *in, int *out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  const int stride = blockDim.x * gridDim.x;
#else
  const int stride = blockDim.x;
#endif
  for (int i = first; i < n; i += stride) out[i] = in[i] + static_cast<int>(blockIdx.x); // BUG
}

int main() {
  const int n = 512;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  fill<<<4, 64>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
