// Separate compilation: device functions and variables of another file, declared extern.
// expect: pass
// flags: -rdc=true
#include "shared.h"
#include <cstdio>

__device__ int counter_total;

__global__ void kernel(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = device_function(i) + device_table[i % 4] + Helper(2).scaled(i);
    atomicAdd(&counter_total, 1);
  }
}

int main() {
  const int n = 100;
  float *out, want[4] = {10, 20, 30, 40};
  cudaMallocManaged(&out, n * sizeof(float));
  kernel<<<2, 64>>>(out, n);
  set_table<<<1, 4>>>();
  cudaDeviceSynchronize();
  int bad = 0, count;
  for (int i = 0; i < n; i++) bad += out[i] != 0.5f * i + want[i % 4] + 2 * i;
  cudaMemcpyFromSymbol(&count, counter_total, sizeof count);
  float table[4];
  cudaMemcpyFromSymbol(table, device_table, sizeof table);
  bad += count != n || table[3] != 300.0f;
  printf("%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(out);
  return bad;
}
