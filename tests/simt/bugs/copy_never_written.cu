// find: uninitialised
//
// The kernel writes another array than the one that is copied.
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
  int *a, *b, h[100];
  check(cudaMalloc(&a, 400));
  check(cudaMalloc(&b, 400)); // ALLOC
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
#else
  check(cudaMemcpy(h, b, 400, cudaMemcpyDeviceToHost)); // BUG
#endif
  printf("%d\n", h[99]);
  check(cudaFree(a));
  check(cudaFree(b));
}
