// Kernels, one of which another file launches.
#include "vector_ops.cuh"

int launches = 0;

__global__ void axpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

static __global__ void add_kernel(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void add(const float *a, const float *b, float *c, int n) {
  add_kernel<<<blocks_for(n), kThreads>>>(a, b, c, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  ++launches;
}

float *upload(const float *host, int n) {
  float *p;
  CUDA_CHECK(cudaMalloc(&p, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(p, host, n * sizeof(float), cudaMemcpyHostToDevice));
  return p;
}
