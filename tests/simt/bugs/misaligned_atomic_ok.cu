// find: nothing
// misaligned_atomic.cu without its bug, which is: a 64-bit atomic on the second int of an array.
#include <cstdio>

__global__ void total(unsigned *words, int at) {
  unsigned long long *sum = (unsigned long long *)(words + at);
  atomicAdd(sum, (unsigned long long)threadIdx.x);
}

int main() {
  unsigned *words;
  cudaMalloc(&words, 4 * sizeof(unsigned));
  cudaMemset(words, 0, 4 * sizeof(unsigned));
  total<<<1, 64>>>(words, 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(words);
}
