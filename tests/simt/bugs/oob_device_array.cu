// find: out-of-bounds
// Off the end of a __device__ array.
#include <cstdio>

__device__ int table[64];
__device__ int neighbours[64];

__global__ void shift() {
  int i = threadIdx.x;
#ifdef FIXED
  table[(i + 1) % 64] = i;
#else
  table[i + 1] = i; // BUG
#endif
}

__global__ void sum(int *out) {
  int s = 0;
  for (int i = 0; i < 64; i++) s += table[i] + neighbours[i];
  *out = s;
}

int main() {
  int *d, h = 0;
  cudaMalloc(&d, sizeof(int));
  shift<<<1, 64>>>();
  sum<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
}
