// find: nothing
// oob_size_without_sizeof.cu without its bug, which is: cudaMalloc of n bytes for n doubles.
#include <cstdio>

__global__ void ramp(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i * 0.5;
}

int main() {
  const int n = 1000;
  double *x;
  cudaMalloc(&x, n * sizeof(double));
  ramp<<<(n + 99) / 100, 100>>>(x, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
