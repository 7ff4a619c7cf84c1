// find: null-pointer
// A struct of pointers is passed of which one was not set.
#include <cstdio>

struct Mesh {
  float *x, *y, *weights;
  int n;
};

__global__ void smooth(Mesh m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m.n) m.x[i] = m.y[i] * m.weights[i]; // BUG
}

int main() {
  const int n = 300;
  Mesh m = {};
  m.n = n;
  cudaMalloc(&m.x, n * sizeof(float));
  cudaMalloc(&m.y, n * sizeof(float));
#ifdef FIXED
  cudaMalloc(&m.weights, n * sizeof(float));
  cudaMemset(m.weights, 0, n * sizeof(float));
#endif
  cudaMemset(m.y, 0, n * sizeof(float));
  smooth<<<3, 128>>>(m);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(m.x);
  cudaFree(m.y);
#ifdef FIXED
  cudaFree(m.weights);
#endif
}
