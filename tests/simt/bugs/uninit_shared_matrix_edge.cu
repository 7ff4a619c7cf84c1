// find: uninitialised shared
// The last tile of a product whose size is no multiple of the tile is loaded in part and used in
// full.
#include <cstdio>
#define TILE 8

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float sa[TILE][TILE], sb[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += TILE) {
#ifdef FIXED
    sa[y][x] = row < n && k0 + x < n ? a[row * n + k0 + x] : 0;
    sb[y][x] = col < n && k0 + y < n ? b[(k0 + y) * n + col] : 0;
#else
    if (row < n && k0 + x < n) sa[y][x] = a[row * n + k0 + x];
    if (col < n && k0 + y < n) sb[y][x] = b[(k0 + y) * n + col];
#endif
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += sa[y][k] * sb[k][x]; // BUG
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

int main() {
  const int n = 20;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemset(a, 0, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  multiply<<<dim3(3, 3), dim3(TILE, TILE)>>>(a, b, c, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
