// find: out-of-bounds
//
// More than the variable holds.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__constant__ float weights[16];

__global__ void scale(float *x) { x[threadIdx.x] = weights[threadIdx.x % 16] * threadIdx.x; }

int main() {
  float h[32], *x;
  for (int i = 0; i < 32; ++i) h[i] = i;
  check(cudaMalloc(&x, sizeof h));
#ifdef FIXED
  check(cudaMemcpyToSymbol(weights, h, sizeof weights));
#else
  cudaMemcpyToSymbol(weights, h, sizeof h); // BUG
#endif
  scale<<<1, 32>>>(x);
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  printf("%g\n", h[31]);
  check(cudaFree(x));
}
