// find: out-of-bounds
// A buffer between two others is overrun by a few bytes that belong to nobody.
#include <cstdio>

__global__ void stamp(char *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 1; // BUG
}

int main() {
  char *a, *b, *c;
  cudaMalloc(&a, 100);
  cudaMalloc(&b, 100);
  cudaMalloc(&c, 100);
#ifdef FIXED
  stamp<<<1, 128>>>(b, 100);
#else
  stamp<<<1, 128>>>(b, 103);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
