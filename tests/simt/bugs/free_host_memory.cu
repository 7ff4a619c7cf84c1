// find: invalid-free
//
// Memory of malloc goes to cudaFree.
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
  int *a, *h = static_cast<int *>(malloc(400));
  check(cudaMalloc(&a, 400));
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
  printf("%d\n", h[99]);
  check(cudaFree(a));
#ifndef FIXED
  cudaFree(h); // BUG
#endif
  free(h);
}
