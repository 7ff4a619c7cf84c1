// find: nothing
// oob_negative_index.cu without its bug, which is: thread 0 of block 0 reads element -1.
#include <cstdio>

__global__ void smooth(const double *in, double *out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i > 0 && i < n - 1) {
    double left = in[i - 1];
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
