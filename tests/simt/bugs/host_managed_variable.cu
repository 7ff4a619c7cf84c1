// find: race host global read/write
// The host reads a __managed__ variable without waiting for the kernel that counts in it.
// Fixed: It waits.
#include <cstdio>

__managed__ int counter;

__global__ void count() { atomicAdd(&counter, 1); } // BUG

int main() {
  counter = 0;
  count<<<2, 32>>>();
#ifdef FIXED
  cudaDeviceSynchronize();
#endif
  const int seen = counter; // BUG
  std::printf("%d %s\n", seen, cudaGetErrorString(cudaDeviceSynchronize()));
}
