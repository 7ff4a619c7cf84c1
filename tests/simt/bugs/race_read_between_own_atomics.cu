// find: race shared atomic/plain barrier
// Two warps add to one counter, in turns. One lane reads it behind its own last addition: that of the
// other warp need not have come.
// Fixed: All wait before it reads.
#include <cstdio>

__global__ void count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x % 32 == 0) atomicAdd(&n, 1); // BUG
    __syncwarp();
  }
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0) *out = n; // BUG
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  count<<<1, 64>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
