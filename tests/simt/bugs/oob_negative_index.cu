// find: out-of-bounds
// Thread 0 of block 0 reads element -1.
#include <cstdio>

__global__ void smooth(const double *in, double *out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
#ifdef FIXED
  if (i > 0 && i < n - 1) {
#else
  if (i < n) {
#endif
    double left = in[i - 1]; // BUG
    out[i] = 0.5 * (left + in[i]);
  }
}

int main() {
  const int n = 300;
  static double h[n];
  double *a, *b;
  cudaMalloc((void **)&a, sizeof h);
  cudaMalloc((void **)&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  smooth<<<3, 128>>>(a, b, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
