// find: out-of-bounds
// new[] in a kernel: an element before the first is read.
#include <cstdio>

__global__ void fibonacci(long long *out, int n) {
  long long *f = new long long[n];
  f[0] = 0;
  f[1] = 1;
#ifdef FIXED
  for (int i = 2; i < n; i++) {
#else
  for (int i = 1; i < n; i++) {
#endif
    long long second = f[i - 2]; // BUG
    f[i] = f[i - 1] + second;
  }
  *out = f[n - 1];
  delete[] f;
}

int main() {
  long long *out, h = 0;
  cudaMalloc(&out, sizeof h);
  fibonacci<<<1, 1>>>(out, 50);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%lld %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(out);
}
