// find: uninitialised
// A matrix product adds to an output that cudaMalloc gave.
#include <cstdio>

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= n || row >= n) return;
#ifdef FIXED
  c[row * n + col] = 0;
#endif
  for (int k = 0; k < n; k++) {
    c[row * n + col] += a[row * n + k] * b[k * n + col]; // BUG
  }
}

int main() {
  const int n = 24;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemset(a, 0, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  multiply<<<dim3(3, 3), dim3(8, 8)>>>(a, b, c, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
