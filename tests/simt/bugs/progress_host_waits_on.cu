// find: no-progress
// flags: --timeout 1
// A kernel waits for a number that the host never writes, and the host for the kernel's answer. The kernel
// is ended, and so is the host.
// Fixed: The host writes it.
#include <cstdio>

__global__ void answer(volatile int *request, volatile int *answer) {
  while (*request != 7) { // BUG
  }
  *answer = 1;
}

int main() {
  int *host, *device;
  cudaHostAlloc(&host, 2 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device, host, 0);
  volatile int *box = host;
  box[0] = box[1] = 0;
  answer<<<1, 1>>>(device, device + 1);
#ifdef FIXED
  box[0] = 7;
#else
  box[0] = 6;
#endif
  while (box[1] == 0) {
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFreeHost(host);
}
