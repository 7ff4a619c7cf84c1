// find: device-pointer
// text: cudaMemcpyToSymbol reaches it
// Host code sets a variable of the device, and a constant, by their names.
// Fixed: It copies to them.
#include <cstdio>

__device__ int start;
__constant__ float factors[2];

__global__ void scale(float *x) { x[threadIdx.x] = start + factors[threadIdx.x % 2]; }

int main() {
  float *x, host[2] = {1, 2};
  const int begin = 5;
  cudaMalloc(&x, 32 * sizeof(float));
#ifdef FIXED
  cudaMemcpyToSymbol(start, &begin, sizeof begin);
  cudaMemcpyToSymbol(factors, host, sizeof host);
#else
  start = begin;                                    // BUG
  for (int i = 0; i < 2; ++i) factors[i] = host[i]; // BUG
#endif
  scale<<<1, 32>>>(x);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
