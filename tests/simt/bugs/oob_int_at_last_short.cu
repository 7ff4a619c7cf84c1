// find: out-of-bounds
// An int is read where only a short is left.
#include <cstdio>

__global__ void combine(const short *in, int *out, int n) {
  int i = threadIdx.x;
#ifdef FIXED
  if (2 * i + 1 < n) out[i] = *(const int *)(in + 2 * i);
#else
  if (2 * i < n) out[i] = *(const int *)(in + 2 * i); // BUG
#endif
}

int main() {
  const int n = 63;
  short *in;
  int *out;
  cudaMalloc(&in, n * sizeof(short));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, n * sizeof(short));
  combine<<<1, 32>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
