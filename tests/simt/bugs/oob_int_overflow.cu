// find: out-of-bounds
// row * columns does not fit an int and comes out negative.
#include <cstdio>

__global__ void sample(const char *big, int *out, int row, int columns, size_t n) {
  int column = threadIdx.x;
#ifdef FIXED
  size_t at = ((size_t)row * columns + column) % n;
  out[column] = big[at];
#else
  int at = row * columns + column;
  out[column] = big[at % (int)n]; // BUG
#endif
}

int main() {
  const size_t n = 1 << 20;
  char *big;
  int *out;
  cudaMalloc(&big, n);
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(big, 1, n);
  sample<<<1, 32>>>(big, out, 50000, 49999, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(big);
  cudaFree(out);
}
