// A pointer from malloc handed to a kernel: an illegal address, named as host memory.
// expect: status nonzero, stderr "host"
#include <stdio.h>
#include <stdlib.h>

__global__ void add_one(int *p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] += 1;
}

int main() {
  int *h = (int *)malloc(1 << 20);
  for (int i = 0; i < 32; i++) h[i] = i;
  add_one<<<1, 32>>>(h, 32);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s, h[5] = %d\n", cudaGetErrorName(e), h[5]);
  return e == cudaErrorIllegalAddress ? 1 : 0;
}
