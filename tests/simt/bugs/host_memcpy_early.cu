// find: race read/write host
//
// The host copies managed memory with the functions of its library while the kernel may still write it.
// Fixed: it waits before.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill(float *x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = i; // BUG
}

int main() {
  float *x, h[32];
  check(cudaMallocManaged(&x, sizeof h));
  memset(x, 0, sizeof h);
  fill<<<1, 32>>>(x, 32);
  check(cudaGetLastError());
#ifdef FIXED
  check(cudaDeviceSynchronize());
#endif
  memcpy(h, x, sizeof h); // BUG
  check(cudaDeviceSynchronize());
  const std::vector<float> all(x, x + 32);
  memset(x, 0, sizeof h);
  fill<<<1, 16>>>(x, 16);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  printf("%g %g %d\n", h[3], all[4], memcmp(x, h, 16 * sizeof *h));
  check(cudaFree(x));
}
