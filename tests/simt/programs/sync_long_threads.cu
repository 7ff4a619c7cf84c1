// A thread that computes for long is not stuck, nor are those that wait for it.
// expect: pass
// env: SIMT_TIMEOUT=0.15
#include <cooperative_groups.h>
#include <cstdio>

// Some seconds; what comes out is exact.
__device__ unsigned turn(unsigned x, unsigned turns) {
  for (unsigned i = 0; i < turns; i++) x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void alone(unsigned *x, unsigned turns) { *x = turn(*x, turns); }

__global__ void awaited(unsigned *x, unsigned turns) {
  if (threadIdx.x == 40) *x = turn(*x, turns);
  __syncthreads();
  if (threadIdx.x == 0) x[1] = x[0] + 1;
}

__global__ void polled(volatile unsigned *x, volatile int *flag, unsigned turns) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
    x[2] = x[0] + 2;
  } else {
    x[0] = turn(x[0], turns);
    __threadfence();
    *flag = 1;
  }
}

__global__ void all(unsigned *x, unsigned turns) {
  if (blockIdx.x == 1) x[0] = turn(x[0], turns);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0) x[3] = x[0] + 3;
}

int main() {
  unsigned turns = 300000000, *x, want = 5;
  int *flag, bad = 0;
  cudaMallocManaged(&x, 4 * sizeof *x);
  cudaMallocManaged(&flag, sizeof *flag);
  *x = 5;
  *flag = 0;
  alone<<<1, 1>>>(x, turns);
  awaited<<<1, 64>>>(x, turns);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  for (int k = 0; k < 2; k++)
    for (unsigned i = 0; i < turns; i++) want = want * 1664525u + 1013904223u;
  bad += x[0] != want || x[1] != want + 1;
  polled<<<2, 1>>>(x, flag, turns);
  void *arguments[] = {&x, &turns};
  cudaLaunchCooperativeKernel((void *)all, 2, 1, arguments, 0, 0);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  unsigned third = want;
  for (unsigned i = 0; i < turns; i++) third = third * 1664525u + 1013904223u;
  for (unsigned i = 0, y = third; i < turns; i++) want = y = y * 1664525u + 1013904223u;
  bad += x[2] != third + 2 || x[0] != want || x[3] != want + 3;
  cudaFree(x);
  cudaFree(flag);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
