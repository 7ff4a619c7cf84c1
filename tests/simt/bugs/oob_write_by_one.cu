// find: out-of-bounds
// The guard lets one thread too many write: i <= n.
#include <cstdio>

__global__ void scale(float *x, float k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) x[i] *= k;
#else
  if (i <= n) x[i] *= k; // BUG
#endif
}

int main() {
  const int n = 1000;
  float h[n], *d;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d, 2.0f, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return 0;
}
