// find: out-of-bounds
// A pointer that began at a __device__ array walks off its end.
#include <cstdio>

__device__ float weights[100];
__device__ float bias = 1;

__device__ float dot(const float *w, const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += w[i] * x[i]; // BUG
  return s;
}

__global__ void neuron(const float *x, float *out, int n) { *out = dot(weights, x, n) + bias; }

int main() {
#ifdef FIXED
  const int n = 100;
#else
  const int n = 128;
#endif
  float *x, *out, h = 0;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(x, 0, 128 * sizeof(float));
  neuron<<<1, 1>>>(x, out, n);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(x);
  cudaFree(out);
}
