// find: race shared atomic/plain barrier
// All threads but one add twice to a counter of the block; one reads it without waiting.
// Fixed: It waits.
#include <cstdio>

__global__ void count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (threadIdx.x != 63) {
    atomicAdd(&n, 1); // BUG
    atomicAdd(&n, 2); // BUG
  }
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 63) *out = n; // BUG
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  count<<<1, 64>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
