// find: invalid-free
//
// A pointer that was moved through the array is freed.
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
  int *p = a;
  for (int round = 0; round < 4; ++round, p += 25) fill<<<1, 32>>>(p, 25, round);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
#ifndef FIXED
  p -= 25;
  cudaFree(p); // BUG
#endif
  check(cudaFree(a));
}
