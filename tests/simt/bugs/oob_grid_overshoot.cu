// find: out-of-bounds
// The grid is rounded up and the kernel has no bounds check.
#include <cstdio>
#include <cstdlib>

#ifdef FIXED
__global__ void fill(unsigned *x, unsigned value, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value + i;
#else
__global__ void fill(unsigned *x, unsigned value) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = value + i; // BUG
#endif
}

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? atoi(argv[1]) : 10000;
  unsigned *d;
  cudaMalloc(&d, n * sizeof(unsigned));
#ifdef FIXED
  fill<<<(n + 511) / 512, 512>>>(d, 7, n);
#else
  fill<<<(n + 511) / 512, 512>>>(d, 7);
#endif
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) printf("error: %s\n", cudaGetErrorString(e));
  cudaFree(d);
  return 0;
}
