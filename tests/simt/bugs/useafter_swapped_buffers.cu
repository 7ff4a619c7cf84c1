// find: use-after-free
// Two buffers change places in a loop; afterwards the one with the result is freed.
#include <cstdio>
#include <utility>

__global__ void relax(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

__global__ void maximum(const float *x, int n, float *out) {
  float m = 0;
  for (int i = 0; i < n; i++) m = fmaxf(m, x[i]); // BUG
  *out = m;
}

int main() {
  const int n = 256;
  float *a, *b, *m, h = 0;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&m, sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  for (int step = 0; step < 5; step++) {
    relax<<<2, 128>>>(a, b, n);
    std::swap(a, b);
  }
#ifndef FIXED
  cudaFree(a);
#endif
  maximum<<<1, 1>>>(a, n, m);
  cudaMemcpy(&h, m, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(b);
#ifdef FIXED
  cudaFree(a);
#endif
  cudaFree(m);
}
