// Calls of older toolkits that CUDA 13 has dropped and that old programs are full of.
// expect: pass
// flags: -arch=sm_60
// nvcc: no
#include <stdio.h>

__global__ void votes(int *out) {
  int v = threadIdx.x;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down(v, d);
  v = __shfl(v, 0);
  int up = __shfl_up(threadIdx.x, 1), swapped = __shfl_xor(threadIdx.x, 1);
  int all = __all(threadIdx.x < 32), any = __any(threadIdx.x == 5);
  unsigned odd = __ballot(threadIdx.x & 1);
  out[threadIdx.x] = v + up * 0 + swapped * 0 + all + any + (odd == 0xaaaaaaaau);
}

int main() {
  int h[32], *d, bad = 0;
  struct cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("clock %d kHz, memory %d kHz, overlap %d, timeout %d, mode %d\n", prop.clockRate,
         prop.memoryClockRate, prop.deviceOverlap, prop.kernelExecTimeoutEnabled, prop.computeMode);
  cudaThreadSetCacheConfig(cudaFuncCachePreferShared);
  cudaMalloc((void **)&d, sizeof h);
  votes<<<1, 32>>>(d);
  if (cudaThreadSynchronize() != cudaSuccess) bad++;
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) bad += h[i] != 496 + 3;
  cudaFree(d);
  cudaThreadExit();
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad;
}
