// Old layout: kernels in a .cu file that another includes, device code in an .inl file, a header that both see.
// expect: pass
#include "parts/config.h"
#include "parts/kernels.cu"
#include <stdio.h>

int main() {
  float *p, sum = 0;
  cudaMallocManaged(&p, COUNT * sizeof(float));
  fill<<<BLOCKS, THREADS>>>(p);
  apply<Halve><<<BLOCKS, THREADS>>>(p);
  cudaDeviceSynchronize();
  for (int i = 0; i < COUNT; i++) sum += p[i];
  printf("%g\n", sum);
  cudaFree(p);
  puts(sum == COUNT * (COUNT - 1) / 4.0f ? "PASSED" : "FAILED");
  return sum != COUNT * (COUNT - 1) / 4.0f;
}
