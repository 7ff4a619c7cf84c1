// find: race host global read/write
// The host reads results in mapped memory; the kernel's flag there says that they are complete.
// Fixed: The host waits for the flag first.
#include <cstdio>

__global__ void count(volatile int *flag, int *to) {
  to[threadIdx.x] = threadIdx.x; // BUG
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    *flag = 1;
  }
}

int main() {
  int *host, *device, sum = 0;
  cudaHostAlloc(&host, 65 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device, host, 0);
  host[64] = 0;
  count<<<1, 64>>>(device + 64, device);
#ifdef FIXED
  while (*(volatile int *)(host + 64) == 0) {
  }
#endif
  for (int i = 0; i < 64; ++i) sum += host[i]; // BUG
  std::printf("%d %s\n", sum, cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFreeHost(host);
}
