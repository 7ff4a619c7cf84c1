// find: race host
// The host reads managed memory before it has waited for the kernel.
// Fixed: The host reads managed memory behind cudaDeviceSynchronize.
#include <cstdio>

__global__ void triple(int *v) {
  v[threadIdx.x] = v[threadIdx.x] * 3; // BUG
}

int main() {
  int *v, sum = 0;
  cudaMallocManaged(&v, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) v[i] = i;
  triple<<<1, 32>>>(v);
  if (cudaGetLastError() != cudaSuccess) return 1;
#ifdef FIXED
  cudaDeviceSynchronize();
#endif
  for (int i = 0; i < 32; ++i) sum += v[i]; // BUG
#ifndef FIXED
  cudaDeviceSynchronize();
#endif
  std::printf("%d\n", sum);
  cudaFree(v);
}
