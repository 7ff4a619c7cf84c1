// find: device-pointer
// main initialises the array behind cudaMalloc in a loop.
#include <cstdio>

__global__ void halve(float *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] /= 2;
}

int main() {
  const int n = 100;
  float *x;
#ifdef FIXED
  cudaMallocManaged(&x, n * sizeof(float));
#else
  cudaMalloc(&x, n * sizeof(float));
#endif
  for (int i = 0; i < n; i++) {
    x[i] = i; // BUG
  }
  halve<<<1, 128>>>(x, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
