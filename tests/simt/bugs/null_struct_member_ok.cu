// find: nothing
// null_struct_member.cu without its bug, which is: a struct of pointers is passed of which one was
// not set.
#include <cstdio>

struct Mesh {
  float *x, *y, *weights;
  int n;
};

__global__ void smooth(Mesh m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m.n) m.x[i] = m.y[i] * m.weights[i];
}

int main() {
  const int n = 300;
  Mesh m = {};
  m.n = n;
  cudaMalloc(&m.x, n * sizeof(float));
  cudaMalloc(&m.y, n * sizeof(float));
  cudaMalloc(&m.weights, n * sizeof(float));
  cudaMemset(m.weights, 0, n * sizeof(float));
  cudaMemset(m.y, 0, n * sizeof(float));
  smooth<<<3, 128>>>(m);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(m.x);
  cudaFree(m.y);
  cudaFree(m.weights);
}
