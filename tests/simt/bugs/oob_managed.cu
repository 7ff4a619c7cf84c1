// find: out-of-bounds
// Managed memory, one element too many.
#include <cstdio>

template <class T> __global__ void square(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i]; // BUG
}

int main() {
  const int n = 100;
  float *x;
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < n; i++) x[i] = i;
#ifdef FIXED
  square<<<1, 128>>>(x, n);
#else
  square<<<1, 128>>>(x, n + 1);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
