// find: device-pointer
//
// The host clears memory of the device with memset.
// Fixed: with cudaMemset.
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void add(int *x) { x[threadIdx.x] += threadIdx.x; }

int main() {
  int *x, h[32];
  check(cudaMalloc(&x, sizeof h));
#ifdef FIXED
  check(cudaMemset(x, 0, sizeof h));
#else
  memset(x, 0, sizeof h); // BUG
#endif
  add<<<1, 32>>>(x);
  check(cudaGetLastError());
  check(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  printf("%d\n", h[3]);
  check(cudaFree(x));
}
