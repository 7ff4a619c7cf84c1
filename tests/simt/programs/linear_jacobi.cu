// Jacobi iterations on a diagonally dominant system; pointer swap, error by atomicAdd on double.
// expect: pass
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

inline void check_code(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "%s, %s line %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
#define CHECKED(call) \
  { check_code((call), __FILE__, __LINE__); }

__global__ void sweep(const double *A, const double *b, const double *x, double *xnew, int n,
                      double *delta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double sigma = 0.0;
    for (int j = 0; j < n; ++j)
      if (j != i) sigma += A[i * n + j] * x[j];
    double v = (b[i] - sigma) / A[i * n + i];
    xnew[i] = v;
    atomicAdd(delta, fabs(v - x[i]));
  }
}

int main() {
  const int n = 96;
  double *hA = new double[n * n], *hb = new double[n], *hx = new double[n];
  for (int i = 0; i < n; ++i) {
    double row = 0;
    for (int j = 0; j < n; ++j) {
      hA[i * n + j] = (i == j) ? 2.0 * n : (double)((i * 31 + j * 17) % 11) / 11.0;
      row += hA[i * n + j] * (j + 1);
    }
    hb[i] = row;
  }
  double *A, *b, *x, *xn, *delta;
  CHECKED(cudaMalloc(&A, n * n * sizeof(double)));
  CHECKED(cudaMalloc(&b, n * sizeof(double)));
  CHECKED(cudaMalloc(&x, n * sizeof(double)));
  CHECKED(cudaMalloc(&xn, n * sizeof(double)));
  CHECKED(cudaMalloc(&delta, sizeof(double)));
  CHECKED(cudaMemcpy(A, hA, n * n * sizeof(double), cudaMemcpyHostToDevice));
  CHECKED(cudaMemcpy(b, hb, n * sizeof(double), cudaMemcpyHostToDevice));
  CHECKED(cudaMemset(x, 0, n * sizeof(double)));
  int it = 0;
  double h = 1;
  while (h > 1e-10 && it < 200) {
    CHECKED(cudaMemset(delta, 0, sizeof(double)));
    sweep<<<(n + 31) / 32, 32>>>(A, b, x, xn, n, delta);
    CHECKED(cudaPeekAtLastError());
    CHECKED(cudaMemcpy(&h, delta, sizeof h, cudaMemcpyDeviceToHost));
    double *t = x;
    x = xn;
    xn = t;
    ++it;
  }
  CHECKED(cudaMemcpy(hx, x, n * sizeof(double), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = fmax(worst, fabs(hx[i] - (i + 1)));
  printf("%d iterations, error %e\n%s\n", it, worst, worst < 1e-8 ? "PASSED" : "FAILED");
  delete[] hA;
  delete[] hb;
  delete[] hx;
  CHECKED(cudaFree(A));
  CHECKED(cudaFree(b));
  CHECKED(cudaFree(x));
  CHECKED(cudaFree(xn));
  CHECKED(cudaFree(delta));
  CHECKED(cudaDeviceReset());
  return worst < 1e-8 ? 0 : 1;
}
