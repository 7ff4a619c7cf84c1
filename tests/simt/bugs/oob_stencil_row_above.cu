// find: out-of-bounds
// A stencil of 5 points does not leave the first row out.
#include <cstdio>

__global__ void laplace(const float *u, float *v, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1) return;
#else
  if (x < 1 || x >= width - 1 || y >= height - 1) return;
#endif
  int c = y * width + x;
  float north = u[c - width]; // BUG
  v[c] = 0.25f * (north + u[c + width] + u[c - 1] + u[c + 1]);
}

int main() {
  const int n = 64;
  float *u, *v;
  cudaMalloc(&u, n * n * sizeof(float));
  cudaMalloc(&v, n * n * sizeof(float));
  cudaMemset(u, 0, n * n * sizeof(float));
  laplace<<<dim3(4, 4), dim3(16, 16)>>>(u, v, n, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(u);
  cudaFree(v);
}
