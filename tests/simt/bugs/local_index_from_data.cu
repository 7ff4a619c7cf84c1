// find: out-of-bounds
// A local array of 8 counters is indexed by a digit of 8.
#include <cstdio>

__global__ void digits(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int counts[8] = {0};
  for (int v = in[i]; v > 0; v /= 10) {
#ifdef FIXED
    if (v % 10 < 8) counts[v % 10]++;
#else
    counts[v % 10]++; // BUG
#endif
  }
  int most = 0;
  for (int k = 1; k < 8; k++)
    if (counts[k] > counts[most]) most = k;
  out[i] = most;
}

int main() {
  const int n = 32;
  int h[n], *in, *out;
  for (int i = 0; i < n; i++) h[i] = i == 7 ? 18 : i * 101 % 7;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  digits<<<1, n>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
