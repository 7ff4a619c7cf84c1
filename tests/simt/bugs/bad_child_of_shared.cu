// find: bad-call
// find: uninitialised shared
// flags: -rdc=true
//
// A kernel launches another one with the address of its shared memory.
// The launch is the second place, as a caller.
// Fixed: with memory of the device.
#include <cstdio>

__global__ void child(int *p) { // BUG
  p[threadIdx.x] += 1;          // BUG 2
}

__global__ void parent(int *g) {
  __shared__ int s[32];
  s[threadIdx.x] = g[threadIdx.x] = threadIdx.x;
  __syncthreads();
#ifdef FIXED
  if (threadIdx.x == 0) child<<<1, 32>>>(g);
#else
  if (threadIdx.x == 0) child<<<1, 32>>>(s);
#endif
}

int main() {
  int *g, h[32];
  if (cudaMalloc(&g, sizeof h) != cudaSuccess) return 1;
  parent<<<1, 32>>>(g);
  if (cudaGetLastError() != cudaSuccess) return 1;
  if (cudaMemcpy(h, g, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  printf("%d\n", h[3]);
  cudaFree(g);
  return 0;
}
