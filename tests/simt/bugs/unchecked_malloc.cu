// find: unchecked-error
// find: null-pointer|host-pointer|out-of-bounds
//
// Far more memory than there is, and the result of cudaMalloc is thrown away.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void first(int *out) { out[0] = 1; } // BUG 2

int main() {
  int *a = nullptr;
#ifdef FIXED
  check(cudaMalloc(&a, 1 << 15));
  first<<<1, 1>>>(a);
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
#else
  cudaMalloc(&a, static_cast<size_t>(1) << 45); // BUG 1
  first<<<1, 1>>>(a);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#endif
}
