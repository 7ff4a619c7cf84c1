// find: misaligned
// Pairs are stored from an odd element on.
#include <cstdio>

__global__ void edges(int *out, int first) {
  int2 *pairs = reinterpret_cast<int2 *>(out + first);
  pairs[threadIdx.x] = make_int2(threadIdx.x, threadIdx.x + 1); // BUG
}

int main() {
  int *out;
  cudaMalloc(&out, 65 * sizeof(int) * 2);
#ifdef FIXED
  edges<<<1, 64>>>(out, 2);
#else
  edges<<<1, 64>>>(out, 1);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
