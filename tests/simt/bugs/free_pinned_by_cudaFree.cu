// find: invalid-free
// text: cudaFreeHost does
//
// Pinned memory needs cudaFreeHost.
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
  int *h;
  check(cudaMallocHost(&h, 400));
  fill<<<1, 128>>>(h, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  printf("%d\n", h[99]);
#ifndef FIXED
  cudaFree(h); // BUG
#endif
  check(cudaFreeHost(h));
}
