// find: race host
// Mapped host memory: the host reads the kernel's results without waiting for it.
// Fixed: Mapped host memory: the host waits for the stream, then reads.
#include <cstdio>

__global__ void count(int *where) { where[threadIdx.x] = threadIdx.x + 1; } // BUG

int main() {
  int *host, *device, sum = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < 64; ++i) host[i] = 0;
  cudaHostGetDevicePointer(&device, host, 0);
  count<<<1, 64, 0, stream>>>(device);
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  for (int i = 0; i < 64; ++i) sum += host[i]; // BUG
#ifndef FIXED
  cudaStreamSynchronize(stream);
#endif
  std::printf("%d %s\n", sum, cudaGetErrorString(cudaGetLastError()));
  cudaFreeHost(host);
  cudaStreamDestroy(stream);
}
