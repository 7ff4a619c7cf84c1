// find: nothing
// null_device_pointer.cu without its bug, which is: a __device__ pointer that nobody has set.
#include <cstdio>

__device__ int *queue;
__device__ int length;

__global__ void push(int value) {
  int at = atomicAdd(&length, 1);
  queue[at] = value;
}

int main() {
  int *memory;
  cudaMalloc(&memory, 32 * sizeof(int));
  cudaMemcpyToSymbol(queue, &memory, sizeof memory);
  push<<<1, 32>>>(7);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(memory);
}
