// find: race global read/write blocks
// The first thread of each block reads a word, and that of the last block, of the same warp and lane, replaces it.
// Fixed: It writes another word.
#include <cstdio>

__global__ void lead(int *words, int *out) {
  if (threadIdx.x != 0) return;
  out[blockIdx.x] = words[0]; // BUG
  if (blockIdx.x != gridDim.x - 1) return;
#ifdef FIXED
  words[1] = 5;
#else
  words[0] = 5; // BUG
#endif
}

int main() {
  int *words, *out, last = 0;
  cudaMalloc(&words, 2 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(words, 0, 2 * sizeof(int));
  lead<<<4, 32>>>(words, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(&last, out + 3, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(words);
  cudaFree(out);
  return 0;
}
