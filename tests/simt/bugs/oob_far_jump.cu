// find: out-of-bounds
// A byte offset is added to a float pointer: far behind the block.
#include <cstdio>

__global__ void second_half(float *x, size_t offset_bytes) {
#ifdef FIXED
  float *half = (float *)((char *)x + offset_bytes);
#else
  float *half = x + offset_bytes * sizeof(float) * 64;
#endif
  half[threadIdx.x] = 1.0f; // BUG
}

int main() {
  const size_t n = 1 << 16;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  second_half<<<1, 256>>>(x, n / 2 * sizeof(float));
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
