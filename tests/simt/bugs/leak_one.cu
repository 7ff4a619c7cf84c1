// find: leak
//
// One of two arrays is never freed.
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
  int *a, *b;
  check(cudaMalloc(&a, 400));
  check(cudaMalloc(&b, 800)); // BUG
  fill<<<1, 128>>>(a, 100, 1);
  fill<<<2, 128>>>(b, 200, 2);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
#ifdef FIXED
  check(cudaFree(b));
#endif
}
