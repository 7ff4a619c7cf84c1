// find: out-of-bounds
//
// cudaMemset counts bytes, here of a larger array.
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
  int *a, h[100] = {0};
  check(cudaMalloc(&a, 400));
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
#ifdef FIXED
  cudaMemset(a, 0, 100 * sizeof(int));
#else
  cudaMemset(a, 0, 100 * sizeof(double)); // BUG
#endif
  printf("%d\n", h[99]);
  check(cudaFree(a));
}
