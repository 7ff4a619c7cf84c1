// find: out-of-bounds
// A filter of 9 weights in constant memory is read to its tenth.
#include <cstdio>
#define RADIUS 4

__constant__ float weights[2 * RADIUS + 1];
__constant__ float gain;

__global__ void filter(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < RADIUS || i >= n - RADIUS) return;
  float sum = 0;
#ifdef FIXED
  for (int k = 0; k <= 2 * RADIUS; k++) {
#else
  for (int k = 0; k <= 2 * RADIUS + 1; k++) {
#endif
    int j = i + k - RADIUS;
    sum += weights[k] * in[j < n ? j : n - 1]; // BUG
  }
  out[i] = sum * gain;
}

int main() {
  const int n = 512;
  float h[2 * RADIUS + 1], one = 1, *in, *out;
  for (float &w : h) w = 1.0f / (2 * RADIUS + 1);
  cudaMemcpyToSymbol(weights, h, sizeof h);
  cudaMemcpyToSymbol(gain, &one, sizeof one);
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  filter<<<4, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
