// find: host-pointer
// The array is copied to the device, and then the host's own pointer is passed.
#include <cstdio>
#include <cstdlib>

__global__ void axpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i]; // BUG
}

int main() {
  const int n = 5000;
  const size_t bytes = n * sizeof(float);
  float *h_x = (float *)malloc(bytes), *d_x, *d_y;
  for (int i = 0; i < n; i++) h_x[i] = 1;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cudaMemset(d_y, 0, bytes);
#ifdef FIXED
  axpy<<<(n + 127) / 128, 128>>>(n, 2, d_x, d_y);
#else
  axpy<<<(n + 127) / 128, 128>>>(n, 2, h_x, d_y);
#endif
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d_x);
  cudaFree(d_y);
  free(h_x);
}
