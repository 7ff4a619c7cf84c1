// Some million scans of a warp in volatile shared memory, without any barrier.
// expect: pass
#include <cstdio>

__device__ int scanwarp(int val, volatile int *s) {
  int i = threadIdx.x + (threadIdx.x & ~31) + 32;
  s[i - 32] = 0;
  s[i] = val;
  s[i] += s[i - 1];
  s[i] += s[i - 2];
  s[i] += s[i - 4];
  return s[i];
}

// Lane l adds up val of the 8 lanes up to its own.
__global__ void scans(int *bad) {
  __shared__ int s[256];
  int lane = threadIdx.x & 31, many = min(lane + 1, 8), first = lane - many + 1;
  int want = many * first + many * (many - 1) / 2 + many * (blockIdx.x & 7);
  if (scanwarp(lane + (blockIdx.x & 7), s) != want) atomicAdd(bad, 1);
}

int main() {
  int *d, h = 0;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  scans<<<40960, 128>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d wrong\n%s\n", h, h ? "FAILED" : "PASSED");
  return h != 0;
}
