// find: race shared atomic/plain syncwarp
// Lanes of a warp add twice to a counter; the last one reads it without waiting for them.
// Fixed: It waits.
#include <cstdio>

__global__ void count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  if (threadIdx.x != 31) {
    atomicAdd(&n, 1); // BUG
    atomicAdd(&n, 2); // BUG
  }
#ifdef FIXED
  __syncwarp();
#endif
  if (threadIdx.x == 31) *out = n; // BUG
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  count<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
