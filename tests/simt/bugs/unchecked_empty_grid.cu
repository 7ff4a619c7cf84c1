// find: unchecked-error
//
// No blocks at all: n / 256 is 0.
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
  const int n = 100;
  check(cudaMalloc(&a, n * sizeof(int)));
  check(cudaMemset(a, 0, n * sizeof(int)));
#ifdef FIXED
  fill<<<(n + 255) / 256, 256>>>(a, n, 1);
#else
  fill<<<n / 256, 256>>>(a, n, 1); // BUG
#endif
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
}
