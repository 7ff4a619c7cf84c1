// find: leak
//
// The pointer to the first allocation is overwritten by the second.
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
  check(cudaMalloc(&a, 400)); // BUG
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
#ifdef FIXED
  check(cudaFree(a));
#endif
  check(cudaMalloc(&a, 800));
  fill<<<2, 128>>>(a, 200, 1);
  check(cudaGetLastError());
  check(cudaFree(a));
}
