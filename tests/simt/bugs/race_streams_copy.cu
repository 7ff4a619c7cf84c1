// find: race global streams
// A copy in one stream reads what a kernel in another stream may still write.
// Fixed: The copy follows the kernel in its own stream.
#include <cstdio>

__global__ void fill(int *a, int v) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = v + threadIdx.x; // BUG
}

int main() {
  const int n = 256;
  int *a, *host;
  cudaMalloc(&a, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  cudaStream_t work, copies;
  cudaStreamCreate(&work);
  cudaStreamCreate(&copies);
  fill<<<4, 64, 0, work>>>(a, 7);
#ifdef FIXED
  cudaStream_t stream = work;
#else
  cudaStream_t stream = copies;
#endif
  cudaMemcpyAsync(host, a, n * sizeof(int), cudaMemcpyDeviceToHost, stream); // BUG
  cudaDeviceSynchronize();
  std::printf("%d %s\n", host[n - 1], cudaGetErrorString(cudaGetLastError()));
  cudaStreamDestroy(work);
  cudaStreamDestroy(copies);
  cudaFreeHost(host);
  cudaFree(a);
}
