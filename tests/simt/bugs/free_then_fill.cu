// find: use-after-free
//
// cudaMemset of what was freed.
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
#ifdef FIXED
  check(cudaMemset(a, 0, 400));
#endif
  check(cudaFree(a));
#ifndef FIXED
  cudaMemset(a, 0, 400); // BUG
#endif
}
