// find: uninitialised
// Only the even bytes have been written.
#include <cstdio>

__global__ void even(char *x) { x[2 * threadIdx.x] = 'e'; }

__global__ void upper(const char *x, char *out) {
  out[threadIdx.x] = x[threadIdx.x] - 32; // BUG
}

int main() {
  char *x, *out;
  cudaMalloc(&x, 64);
  cudaMalloc(&out, 64);
  even<<<1, 32>>>(x);
  upper<<<1, 64>>>(x, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(out);
}
