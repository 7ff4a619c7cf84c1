// find: out-of-bounds
// A byte array of odd size is written one byte too far.
#include <cstdio>

__global__ void rot13(char *text, int n) {
#ifdef FIXED
  for (int i = threadIdx.x; i < n; i += blockDim.x) text[i] = 'a' + (i * 13) % 26;
#else
  for (int i = threadIdx.x; i <= n; i += blockDim.x) text[i] = 'a' + (i * 13) % 26; // BUG
#endif
}

int main() {
  const int n = 131;
  char h[n], *d;
  cudaMalloc(&d, n);
  rot13<<<1, 32>>>(d, n);
  cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost);
  printf("%.5s %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
}
