// find: race shared read/write syncwarp
// Sparse matrix times vector with a warp a row; the partial sums of the lanes are added in
// volatile shared memory without __syncwarp.
#include <cstdio>
#include <vector>

#define WARPS 4

struct Matrix {
  int rows = 0;
  std::vector<int> row_begin, column;
  std::vector<float> value;
};

static Matrix make_matrix(int rows) {
  Matrix m;
  m.rows = rows;
  for (int r = 0; r < rows; r++) {
    m.row_begin.push_back((int)m.column.size());
    int entries = 1 + r * 13 % 70;
    for (int k = 0; k < entries; k++) {
      m.column.push_back((r * 5 + k * 3) % rows);
      m.value.push_back(1.0f + (r + k) % 4);
    }
  }
  m.row_begin.push_back((int)m.column.size());
  return m;
}

__global__ void spmv_vector(int rows, const int *row_begin, const int *column, const float *value,
                            const float *x, float *y) {
  __shared__ volatile float s[WARPS * 32 + 16];
  int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  int row = blockIdx.x * WARPS + warp;
  if (row >= rows) return;
  float sum = 0;
  for (int k = row_begin[row] + lane; k < row_begin[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  s[threadIdx.x] = sum; // BUG
#ifdef FIXED
  for (int half = 16; half > 0; half /= 2) {
    __syncwarp();
    if (lane < half) s[threadIdx.x] = sum = sum + s[threadIdx.x + half];
  }
#else
  if (lane < 16) s[threadIdx.x] = sum = sum + s[threadIdx.x + 16]; // BUG
  if (lane < 8) s[threadIdx.x] = sum = sum + s[threadIdx.x + 8];   // BUG
  if (lane < 4) s[threadIdx.x] = sum = sum + s[threadIdx.x + 4];   // BUG
  if (lane < 2) s[threadIdx.x] = sum = sum + s[threadIdx.x + 2];   // BUG
  if (lane < 1) s[threadIdx.x] = sum = sum + s[threadIdx.x + 1];   // BUG
#endif
  if (lane == 0) y[row] = s[threadIdx.x];
}

template <class T> static T *to_device(const std::vector<T> &v) {
  T *d = nullptr;
  if (cudaMalloc(&d, v.size() * sizeof(T)) != cudaSuccess) return nullptr;
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

int main() {
  Matrix m = make_matrix(50);
  std::vector<float> x(m.rows), y(m.rows, 0.0f);
  for (int i = 0; i < m.rows; i++) x[i] = i % 7;
  int *row_begin = to_device(m.row_begin), *column = to_device(m.column);
  float *value = to_device(m.value), *d_x = to_device(x), *d_y = to_device(y);
  spmv_vector<<<(m.rows + WARPS - 1) / WARPS, WARPS * 32>>>(m.rows, row_begin, column, value, d_x,
                                                            d_y);
  cudaError_t e = cudaGetLastError();
  cudaMemcpy(y.data(), d_y, m.rows * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < m.rows; r++) {
    float sum = 0;
    for (int k = m.row_begin[r]; k < m.row_begin[r + 1]; k++) sum += m.value[k] * x[m.column[k]];
    wrong += sum != y[r];
  }
  printf("%d rows wrong, %s\n", wrong, cudaGetErrorString(e));
  cudaFree(row_begin);
  cudaFree(column);
  cudaFree(value);
  cudaFree(d_x);
  cudaFree(d_y);
  return 0;
}
