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
  push<<<1, 32>>>(7);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
