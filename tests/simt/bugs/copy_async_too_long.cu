// find: out-of-bounds
//
// The same mistake in a stream.
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
  cudaMemcpyAsync(h, a, 400, cudaMemcpyDeviceToHost, 0);
#else
  cudaMemcpyAsync(h, a, 401, cudaMemcpyDeviceToHost, 0); // BUG
#endif
  check(cudaDeviceSynchronize());
  printf("%d\n", h[99]);
  check(cudaFree(a));
}
