// find: nothing
//
// Far more memory than there is, and the result of cudaMalloc is thrown away.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void first(int *out) { out[0] = 1; }

int main() {
  int *a = nullptr;
  check(cudaMalloc(&a, 1 << 15));
  first<<<1, 1>>>(a);
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
}
