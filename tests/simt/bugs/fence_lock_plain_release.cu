// find: race global
// A lock that is released by a plain store.
// Fixed: A lock that is released by a volatile store behind a fence.
#include <cstdio>

__device__ int mutex;
__device__ int total;

__global__ void add_blocks(const int *in) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mutex, 0, 1)) { // BUG
    }
    __threadfence();
    total = total + in[blockIdx.x]; // BUG?
    __threadfence();
#ifdef FIXED
    *(volatile int *)&mutex = 0;
#else
    mutex = 0; // BUG
#endif
  }
}

int main() {
  int *in, sum = 0;
  cudaMallocManaged(&in, 6 * sizeof(int));
  for (int i = 0; i < 6; ++i) in[i] = i + 1;
  add_blocks<<<6, 64>>>(in);
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  std::printf("%d %s\n", sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(in);
}
