// A host reference by OpenMP beside the kernel, timed by omp_get_wtime.
// expect: pass
// flags: -Xcompiler -fopenmp -lgomp
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void gpu_version(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sqrt(x[i]) * 2.0 + 1.0;
}

static void cpu_version(const double *x, double *y, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) y[i] = sqrt(x[i]) * 2.0 + 1.0;
}

int main(int argc, char *argv[]) {
  int n = 20000, threads = 0, bad = 0;
  double *x = (double *)malloc(n * sizeof(double)), *y = (double *)malloc(n * sizeof(double)),
         *z = (double *)malloc(n * sizeof(double)), *dx, *dy, sum = 0;
  for (int i = 0; i < n; i++) x[i] = i;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  double t = omp_get_wtime();
  cpu_version(x, y, n);
  double cpu = omp_get_wtime() - t;
  cudaMalloc(&dx, n * sizeof(double)), cudaMalloc(&dy, n * sizeof(double));
  cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  t = omp_get_wtime();
  gpu_version<<<(n + 255) / 256, 256>>>(dx, dy, n);
  cudaDeviceSynchronize();
  double gpu = omp_get_wtime() - t;
  cudaMemcpy(z, dy, n * sizeof(double), cudaMemcpyDeviceToHost);
#pragma omp parallel for reduction(+ : sum, bad)
  for (int i = 0; i < n; i++) {
    bad += fabs(y[i] - z[i]) > 1e-12;
    sum += z[i];
  }
  printf("%d threads, %.6f s and %.6f s, sum %g\n%s\n", threads, cpu, gpu, sum,
         bad ? "FAILED" : "PASSED");
  cudaFree(dx); cudaFree(dy);
  return bad;
}
