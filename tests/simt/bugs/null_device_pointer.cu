// find: null-pointer
// A __device__ pointer that nobody has set.
#include <cstdio>

__device__ int *queue;
__device__ int length;

__global__ void push(int value) {
  int at = atomicAdd(&length, 1);
  queue[at] = value; // BUG
}

int main() {
#ifdef FIXED
  int *memory;
  cudaMalloc(&memory, 32 * sizeof(int));
  cudaMemcpyToSymbol(queue, &memory, sizeof memory);
#endif
  push<<<1, 32>>>(7);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
#ifdef FIXED
  cudaFree(memory);
#endif
}
