// Gaussian elimination with partial pivoting, a kernel a column; old C style with globals.
// expect: pass
#include "cuda.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 48
#define IDX(r, c) ((r) * (N + 1) + (c))

double host_m[N * (N + 1)], solution[N], expected[N];

__global__ void find_pivot(const double *m, int col, int *pivot) {
  __shared__ double best[64];
  __shared__ int where[64];
  int t = threadIdx.x;
  int row = col + t;
  best[t] = row < N ? fabs(m[IDX(row, col)]) : -1.0;
  where[t] = row;
  __syncthreads();
  for (int s = 32; s > 0; s >>= 1) {
    if (t < s && best[t + s] > best[t]) {
      best[t] = best[t + s];
      where[t] = where[t + s];
    }
    __syncthreads();
  }
  if (t == 0) *pivot = where[0];
}

__global__ void swap_rows(double *m, int a, const int *p_b) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int b = *p_b;
  if (c > N || a == b) return;
  double tmp = m[IDX(a, c)];
  m[IDX(a, c)] = m[IDX(b, c)];
  m[IDX(b, c)] = tmp;
}

__global__ void factors(const double *m, double *f, int col) {
  int r = col + 1 + threadIdx.x;
  if (r < N) f[r] = m[IDX(r, col)] / m[IDX(col, col)];
}

__global__ void eliminate(double *m, const double *f, int col) {
  int c = col + blockIdx.x * blockDim.x + threadIdx.x;
  int r = col + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= N || c > N) return;
  m[IDX(r, c)] -= f[r] * m[IDX(col, c)];
}

int main(int argc, char *argv[]) {
  double *m, *f;
  int *pivot, r, c;
  unsigned seed = 12345u;
  for (r = 0; r < N; r++) expected[r] = (r % 7) - 3;
  for (r = 0; r < N; r++) {
    double rhs = 0;
    for (c = 0; c < N; c++) {
      seed = seed * 1664525u + 1013904223u;
      host_m[IDX(r, c)] = (double)(seed >> 8) / (1 << 24) - 0.5;
      rhs += host_m[IDX(r, c)] * expected[c];
    }
    host_m[IDX(r, N)] = rhs;
  }
  cudaMalloc((void **)&m, sizeof(host_m));
  cudaMalloc((void **)&f, N * sizeof(double));
  cudaMalloc((void **)&pivot, sizeof(int));
  cudaMemcpy(m, host_m, sizeof(host_m), cudaMemcpyHostToDevice);
  for (c = 0; c < N - 1; c++) {
    find_pivot<<<1, 64>>>(m, c, pivot);
    swap_rows<<<2, 32>>>(m, c, pivot);
    factors<<<1, N>>>(m, f, c);
    dim3 threads(16, 16);
    dim3 blocks((N + 1 + 15) / 16, (N + 15) / 16);
    eliminate<<<blocks, threads>>>(m, f, c);
  }
  cudaMemcpy(host_m, m, sizeof(host_m), cudaMemcpyDeviceToHost);
  for (r = N - 1; r >= 0; r--) {
    double s = host_m[IDX(r, N)];
    for (c = r + 1; c < N; c++) s -= host_m[IDX(r, c)] * solution[c];
    solution[r] = s / host_m[IDX(r, r)];
  }
  double worst = 0;
  for (r = 0; r < N; r++) worst = fmax(worst, fabs(solution[r] - expected[r]));
  printf("largest error %g\n", worst);
  printf(worst < 1e-8 ? "Test PASSED\n" : "Test FAILED\n");
  cudaFree(m);
  cudaFree(f);
  cudaFree(pivot);
  (void)argc;
  (void)argv;
  return worst < 1e-8 ? 0 : 1;
}
