// find: device-pointer
// text: cudaMemcpyFromSymbol reaches it
// Host code reads the result by the name of the device's variable.
// Fixed: It copies from it.
#include <cstdio>

__device__ float results[4];

__global__ void set() { results[threadIdx.x] = threadIdx.x * 2.0f; }

int main() {
  float sum = 0, host[4];
  set<<<1, 4>>>();
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaMemcpyFromSymbol(host, results, sizeof host);
  for (int i = 0; i < 4; ++i) sum += host[i];
#else
  for (int i = 0; i < 4; ++i) sum += host[i] = results[i]; // BUG
#endif
  std::printf("%g %s\n", sum, cudaGetErrorString(cudaGetLastError()));
}
