// find: race shared read/write barrier|syncwarp
// The diagonal block of an LU decomposition: the column is divided by the pivot in one sub-step
// and used in the next, without a barrier between them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 64

static void fail_on(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
  exit(1);
}
#define CUDA(x) fail_on(x, __LINE__)

__global__ void lu_diagonal(float *m, int matrix_dim, int offset) {
  __shared__ float shadow[BLOCK][BLOCK + 1];
  const int t = threadIdx.x;
  for (int i = 0; i < BLOCK; i++) shadow[i][t] = m[(offset + i) * matrix_dim + offset + t];
  __syncthreads();
  for (int i = 0; i < BLOCK - 1; i++) {
    if (t > i) {
      float sum = shadow[t][i];
      sum /= shadow[i][i];
      shadow[t][i] = sum; // BUG
    }
#ifdef FIXED
    __syncthreads();
#else
    /* here all multipliers of column i must be complete */
#endif
    if (t > i) {
      for (int r = i + 1; r < BLOCK; r++) {
        float factor = shadow[r][i]; // BUG
        shadow[r][t] -= factor * shadow[i][t];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < BLOCK; i++) m[(offset + i) * matrix_dim + offset + t] = shadow[i][t];
}

static std::vector<float> make_matrix(int n) {
  std::vector<float> m(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i * n + j] = i == j ? 10.0f * n : std::exp(-0.01f * std::abs(i - j));
  return m;
}

static void lu_on_host(std::vector<float> &m, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      m[i * n + k] /= m[k * n + k];
      for (int j = k + 1; j < n; j++) m[i * n + j] -= m[i * n + k] * m[k * n + j];
    }
}

int main() {
  const int n = BLOCK;
  std::vector<float> m = make_matrix(n), expected = m, result(n * n);
  lu_on_host(expected, n);
  float *d_m;
  CUDA(cudaMalloc((void **)&d_m, n * n * sizeof(float)));
  CUDA(cudaMemcpy(d_m, m.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
  lu_diagonal<<<1, BLOCK>>>(d_m, n, 0);
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(result.data(), d_m, n * n * sizeof(float), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int i = 0; i < n * n; i++) worst = std::fmax(worst, std::fabs(result[i] - expected[i]));
  printf("largest difference %g\n", worst);
  CUDA(cudaFree(d_m));
  return 0;
}
