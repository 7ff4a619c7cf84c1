// find: out-of-bounds
// A kernel's memcpy takes a whole record where only a part is left.
#include <cstdio>
#include <cstring>

struct Record {
  char name[24];
};

__global__ void gather(Record *out, const char *bytes, int n) {
  int i = threadIdx.x;
#ifdef FIXED
  if ((i + 1) * 24 <= n) memcpy(&out[i], bytes + i * 24, sizeof(Record));
#else
  if (i * 24 < n) memcpy(&out[i], bytes + i * 24, sizeof(Record)); // BUG
#endif
}

int main() {
  const int n = 500;
  char *bytes;
  Record *out;
  cudaMalloc(&bytes, n);
  cudaMalloc(&out, 32 * sizeof(Record));
  cudaMemset(bytes, 'a', n);
  gather<<<1, 32>>>(out, bytes, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(bytes);
  cudaFree(out);
}
