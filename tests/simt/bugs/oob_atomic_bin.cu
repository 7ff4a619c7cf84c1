// find: out-of-bounds
// Value 256 has no bin.
#include <cstdio>

__global__ void histogram(const int *data, int n, unsigned *bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1u); // BUG
}

int main() {
  const int n = 5000;
  static int h[n];
#ifdef FIXED
  for (int i = 0; i < n; i++) h[i] = i % 256;
#else
  for (int i = 0; i < n; i++) h[i] = i % 257;
#endif
  int *data;
  unsigned *bins;
  cudaMalloc(&data, sizeof h);
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  histogram<<<4, 256>>>(data, n, bins);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(data);
  cudaFree(bins);
}
