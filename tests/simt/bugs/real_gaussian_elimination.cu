// find: race global read/write
// Gaussian elimination in one kernel launch a column: the multipliers are computed by one block
// and used by the others in the same launch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 64

#ifdef FIXED
__global__ void multipliers(const float *a, float *m, int n, int column) {
  int row = column + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) m[row] = a[row * n + column] / a[column * n + column];
}

#endif
__global__ void eliminate(float *a, float *b, float *m, int n, int column) {
  int row = column + 1 + blockIdx.y;
  int x = column + blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
  if (x == column) m[row] = a[row * n + column] / a[column * n + column]; // BUG
  __syncthreads();
#endif
  if (x < n && x > column) {
    a[row * n + x] -= m[row] * a[column * n + x]; // BUG
  }
  if (x == n - 1) {
    b[row] -= m[row] * b[column]; // BUG
  }
}

static void back_substitute(const std::vector<float> &a, const std::vector<float> &b,
                            std::vector<float> &x, int n) {
  for (int i = n - 1; i >= 0; i--) {
    float sum = b[i];
    for (int k = i + 1; k < n; k++) sum -= a[i * n + k] * x[k];
    x[i] = sum / a[i * n + i];
  }
}

int main() {
  const int n = 100;
  std::vector<float> a(n * n), b(n, 0.0f), x(n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      a[i * n + k] = i == k ? 50.0f : 1.0f / (1 + abs(i - k));
      b[i] += a[i * n + k];
    }
  float *d_a, *d_b, *d_m;
  cudaMalloc(&d_a, n * n * sizeof(float));
  cudaMalloc(&d_b, n * sizeof(float));
  cudaMalloc(&d_m, n * sizeof(float));
  cudaMemcpy(d_a, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_m, 0, n * sizeof(float));
  for (int column = 0; column < n - 1; column++) {
    int rows = n - column - 1;
#ifdef FIXED
    multipliers<<<(rows + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_m, n, column);
#endif
    eliminate<<<dim3((n - column + BLOCK - 1) / BLOCK, rows), BLOCK>>>(d_a, d_b, d_m, n, column);
  }
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(a.data(), d_a, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), d_b, n * sizeof(float), cudaMemcpyDeviceToHost);
  back_substitute(a, b, x, n);
  float worst = 0;
  for (float v : x) worst = std::fmax(worst, std::fabs(v - 1));
  printf("largest error %g, %s\n", worst, cudaGetErrorString(e));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_m);
  return 0;
}
