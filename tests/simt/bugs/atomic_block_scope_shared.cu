// find: race global atomic/atomic blocks
// Threads of several blocks count in one place, each with the scope of its block.
// Fixed: The scope is the device.
#include <cstdio>

__device__ int counter;

__global__ void count(int *done) {
#ifdef FIXED
  atomicAdd(&counter, 1);
#else
  atomicAdd_block(&counter, 1); // BUG
#endif
  if (threadIdx.x == 0) done[blockIdx.x] = 1;
}

int main() {
  int *done;
  cudaMalloc(&done, 4 * sizeof(int));
  count<<<4, 32>>>(done);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(done);
}
