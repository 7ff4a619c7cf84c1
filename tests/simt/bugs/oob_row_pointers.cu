// find: out-of-bounds
// A sparse matrix with n row pointers instead of n + 1.
#include <cstdio>
#include <vector>

__global__ void spmv(int rows, const int *begin, const int *column, const float *value,
                     const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    int end = begin[r + 1]; // BUG
    for (int k = begin[r]; k < end; k++) sum += value[k] * x[column[k]];
    y[r] = sum;
  }
}

int main() {
  const int n = 256;
  std::vector<int> begin(n + 1), column(n);
  std::vector<float> value(n, 2.0f), x(n, 1.0f);
  for (int i = 0; i <= n; i++) begin[i] = i;
  for (int i = 0; i < n; i++) column[i] = n - 1 - i;
#ifdef FIXED
  const int pointers = n + 1;
#else
  const int pointers = n;
#endif
  int *db, *dc;
  float *dv, *dx, *dy;
  cudaMalloc(&db, pointers * sizeof(int));
  cudaMalloc(&dc, n * sizeof(int));
  cudaMalloc(&dv, n * sizeof(float));
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMemcpy(db, begin.data(), pointers * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, column.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dv, value.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  spmv<<<2, 128>>>(n, db, dc, dv, dx, dy);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(db);
  cudaFree(dc);
  cudaFree(dv);
  cudaFree(dx);
  cudaFree(dy);
}
