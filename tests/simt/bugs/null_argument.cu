// find: null-pointer
// A pointer of a kernel is NULL.
#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) c[i] = a[i] + (b ? b[i] : 0);
#else
  if (i < n) c[i] = a[i] + b[i]; // BUG
#endif
}

int main() {
  const int n = 128;
  float *a, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  add<<<1, n>>>(a, nullptr, c, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(c);
}
