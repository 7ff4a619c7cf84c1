// find: unchecked-error
//
// Asked before the launch, not behind it.
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
  check(cudaMemset(a, 0, 400));
#ifndef FIXED
  check(cudaGetLastError());
#endif
  fill<<<1, 1025>>>(a, 100, 1); // BUG
#ifdef FIXED
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
#endif
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
}
