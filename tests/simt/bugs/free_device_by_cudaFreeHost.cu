// find: invalid-free
//
// Device memory goes to cudaFreeHost.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(int *out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

int main() {
  int *a;
  check(cudaMalloc(&a, 400));
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
#ifndef FIXED
  cudaFreeHost(a); // BUG
#endif
  check(cudaFree(a));
}
