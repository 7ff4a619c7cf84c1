// find: out-of-bounds
// The grid is rounded up and the kernel has no bounds check.
#include <cstdio>
#include <cstdlib>

__global__ void fill(unsigned *x, unsigned value) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = value + i; // BUG
}

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? atoi(argv[1]) : 10000;
  unsigned *d;
  cudaMalloc(&d, n * sizeof(unsigned));
  fill<<<(n + 511) / 512, 512>>>(d, 7);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) printf("error: %s\n", cudaGetErrorString(e));
  cudaFree(d);
  return 0;
}
