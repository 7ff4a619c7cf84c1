// A plain C++ file calls into CUDA through extern "C", and CUDA calls back into it.
// expect: pass
#include "api.h"
#include <stdio.h>

__global__ void doubling(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}

extern "C" {
int cuda_double(int *host, int n) {
  int *d;
  if (cudaMalloc((void **)&d, n * sizeof(int)) != cudaSuccess) return -1;
  cudaMemcpy(d, host, n * sizeof(int), cudaMemcpyHostToDevice);
  doubling<<<(n + 31) / 32, 32>>>(d, n);
  cudaMemcpy(host, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  report_progress("doubled", n);
  return cudaFree(d);
}
}

int main(void) {
  int result = run_host_part();
  printf(result == 0 ? "PASSED\n" : "FAILED\n");
  return result;
}
