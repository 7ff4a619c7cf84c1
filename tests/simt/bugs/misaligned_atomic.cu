// find: misaligned
// A 64-bit atomic on the second int of an array.
#include <cstdio>

__global__ void total(unsigned *words, int at) {
  unsigned long long *sum = (unsigned long long *)(words + at);
  atomicAdd(sum, (unsigned long long)threadIdx.x); // BUG
}

int main() {
  unsigned *words;
  cudaMalloc(&words, 4 * sizeof(unsigned));
  cudaMemset(words, 0, 4 * sizeof(unsigned));
#ifdef FIXED
  total<<<1, 64>>>(words, 2);
#else
  total<<<1, 64>>>(words, 1);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(words);
}
