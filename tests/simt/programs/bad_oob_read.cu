// A stencil reads one element before the first.
// expect: status nonzero, stderr "smooth"
#include <cstdio>

__global__ void smooth(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - 1] + in[i];
}

int main() {
  const int n = 512;
  double *a, *b;
  cudaMalloc(&a, n * sizeof(double));
  cudaMalloc(&b, n * sizeof(double));
  cudaMemset(a, 0, n * sizeof(double));
  smooth<<<4, 128>>>(a, b, n);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}
