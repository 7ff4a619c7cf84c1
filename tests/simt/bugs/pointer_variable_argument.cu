// find: host-pointer
// text: kernel fill is given the name of a variable of the device
// A kernel is given the name of a variable of the device, which in host code is the host's.
// Fixed: Its address on the device.
#include <cstdio>

__device__ float table[32];

__global__ void fill(float *to) { to[threadIdx.x] = threadIdx.x; }

int main() {
#ifdef FIXED
  float *address;
  cudaGetSymbolAddress((void **)&address, table);
#else
  float *address = table;
#endif
  fill<<<1, 32>>>(address); // BUG
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
