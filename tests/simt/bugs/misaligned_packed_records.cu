// find: misaligned
// Records of 12 bytes that begin with a 64-bit number.
#include <cstdio>

__global__ void keys(const char *records, unsigned long long *out, int size) {
  const char *record = records + threadIdx.x * size;
  out[threadIdx.x] = *(const unsigned long long *)record; // BUG
}

int main() {
#ifdef FIXED
  const int size = 16;
#else
  const int size = 12;
#endif
  char *records;
  unsigned long long *out;
  cudaMalloc(&records, 32 * size);
  cudaMalloc(&out, 32 * sizeof(unsigned long long));
  cudaMemset(records, 0, 32 * size);
  keys<<<1, 32>>>(records, out, size);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(records);
  cudaFree(out);
}
