// find: device-pointer
//
// The host reads memory of the device.
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
  int *a, h[100];
  check(cudaMalloc(&a, 400)); // ALLOC
  fill<<<1, 128>>>(a, 100, 1);
  check(cudaGetLastError());
  check(cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost));
#ifdef FIXED
  printf("%d\n", h[99]);
#else
  printf("%d\n", a[99]); // BUG
#endif
  check(cudaFree(a));
}
