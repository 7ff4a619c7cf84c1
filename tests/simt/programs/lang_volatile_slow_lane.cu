// Lanes of a warp stay in step at volatile elements, however long one of them computes in between.
// expect: pass
#include <cstdio>

// Some milliseconds in a few lanes, so that any clock of the device strikes there.
__device__ int slowly(int value, int lane, int step) {
  unsigned x = value + 1;
  int turns = (lane * 7 + step * 11) % 32 == 3 ? 12000000 : 10;
  for (int i = 0; i < turns; i++) x = x * 1664525u + 1013904223u;
  return x == 0 ? value + 1 : value;
}

__device__ int scan(volatile int *s, int lane, int value) {
  s[lane] = 0;
  s[32 + lane] = value;
  s[32 + lane] += slowly(s[31 + lane], lane, 1);
  s[32 + lane] += slowly(s[30 + lane], lane, 2);
  s[32 + lane] += slowly(s[28 + lane], lane, 3);
  s[32 + lane] += slowly(s[24 + lane], lane, 4);
  s[32 + lane] += slowly(s[16 + lane], lane, 5);
  return s[32 + lane];
}

__global__ void sums(int *out) {
  __shared__ int s[4 * 64];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  out[blockIdx.x * blockDim.x + threadIdx.x] = scan(s + 64 * warp, lane, 3 * lane + warp + blockIdx.x);
}

int main() {
  const int blocks = 4, threads = 128;
  int *d, h[blocks * threads], bad = 0;
  cudaMalloc(&d, sizeof h);
  sums<<<blocks, threads>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks * threads; i++) {
    int lane = i % 32, first = i % threads / 32 + i / threads;
    bad += h[i] != 3 * lane * (lane + 1) / 2 + (lane + 1) * first;
  }
  cudaFree(d);
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  return bad != 0;
}
