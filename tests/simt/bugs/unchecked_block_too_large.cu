// find: unchecked-error
// text: 2048
//
// A block of 2,048 threads is refused, and nobody asks.
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
  check(cudaMalloc(&a, 8192));
  check(cudaMemset(a, 0, 8192));
#ifdef FIXED
  fill<<<2, 1024>>>(a, 2048, 1);
#else
  fill<<<1, 2048>>>(a, 2048, 1); // BUG
#endif
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
}
