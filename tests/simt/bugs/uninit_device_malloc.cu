// find: uninitialised
// malloc in a kernel does not clear its memory.
#include <cstdio>

__global__ void counts(const int *in, int *out, int n) {
  int *seen = (int *)malloc(10 * sizeof(int));
#ifdef FIXED
  for (int k = 0; k < 10; k++) seen[k] = 0;
#endif
  for (int i = 0; i < n; i++) seen[in[i] % 10]++; // BUG
  *out = seen[0];
  free(seen);
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 50 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 50 * sizeof(int));
  counts<<<1, 1>>>(in, out, 50);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
