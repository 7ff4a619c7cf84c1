// find: race host global read/write
// The host waits for a kernel's flag in mapped memory, but the kernel has no fence before it.
// Fixed: It has.
#include <cstdio>

__global__ void tell(volatile int *flag, int *value) {
  *value = 42; // BUG
#ifdef FIXED
  __threadfence_system();
#endif
  *flag = 1;
}

int main() {
  int *host, *device;
  cudaHostAlloc(&host, 2 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device, host, 0);
  host[0] = 0;
  tell<<<1, 1>>>(device, device + 1);
  while (*(volatile int *)host == 0) {
  }
  const int seen = host[1]; // BUG
  std::printf("%d %s\n", seen, cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFreeHost(host);
}
