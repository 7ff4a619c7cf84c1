// find: out-of-bounds
// cudaMalloc of n bytes for n doubles.
#include <cstdio>

__global__ void ramp(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i * 0.5; // BUG
}

int main() {
  const int n = 1000;
  double *x;
#ifdef FIXED
  cudaMalloc(&x, n * sizeof(double));
#else
  cudaMalloc(&x, n);
#endif
  ramp<<<(n + 99) / 100, 100>>>(x, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
