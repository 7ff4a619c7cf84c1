// Recursion without end in a kernel: an error, not a crash of the process.
// expect: status nonzero, stderr "deep"
#include <cstdio>

__device__ int down(volatile int *p, int n) {
  int local[64];
  for (int i = 0; i < 64; i++) local[i] = n + i + *p;
  return local[n & 63] + down(p, n + 1) + local[(n + 1) & 63];
}

__global__ void deep(int *p) { *p = down(p, threadIdx.x); }

int main() {
  int *p;
  cudaMalloc(&p, sizeof *p);
  cudaMemset(p, 0, sizeof *p);
  deep<<<1, 4>>>(p);
  cudaError_t e = cudaDeviceSynchronize();
  printf("still here: %s\n", cudaGetErrorName(e));
  return e != cudaSuccess ? 1 : 0;
}
