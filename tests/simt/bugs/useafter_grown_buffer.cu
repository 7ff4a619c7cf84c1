// find: use-after-free
// A buffer grows by being allocated anew; a device symbol still has the old address.
#include <cstdio>

__device__ int *current;

__global__ void append(int at, int value) {
  current[at] = value; // BUG
}

int main() {
  int *small, *large;
  cudaMalloc(&small, 4 * sizeof(int));
  cudaMemcpyToSymbol(current, &small, sizeof small);
  for (int i = 0; i < 4; i++) append<<<1, 1>>>(i, i);
  cudaMalloc(&large, 8 * sizeof(int));
  cudaMemcpy(large, small, 4 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(small);
#ifdef FIXED
  cudaMemcpyToSymbol(current, &large, sizeof large);
#endif
  append<<<1, 1>>>(3, 4);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(large);
}
