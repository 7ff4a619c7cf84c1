// find: race shared barrier
// A histogram in shared memory by ++: two threads with the same value lose one.
// Fixed: A histogram in shared memory by atomicAdd.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void histogram(const unsigned char *data, int n, int *bins) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#ifdef FIXED
    atomicAdd(&local[data[i] & 15], 1);
#else
    local[data[i] & 15]++; // BUG
#endif
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int n = 1024;
  std::vector<unsigned char> text(n);
  for (int i = 0; i < n; i++) text[i] = (i * i) >> 3;
  unsigned char *data;
  int *bins, host[16];
  cudaMalloc(&data, n);
  cudaMalloc(&bins, sizeof host);
  cudaMemcpy(data, text.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, sizeof host);
  histogram<<<2, 128>>>(data, n, bins);
  cudaMemcpy(host, bins, sizeof host, cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess) return EXIT_FAILURE;
  for (int b : host) printf("%d ", b);
  printf("\n");
  cudaFree(data);
  cudaFree(bins);
}
