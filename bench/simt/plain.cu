// Kernels without barriers beside the same loops in C, compiled by the same compiler.
//
// Result   one line of JSON a kernel: median milliseconds of both, median of their ratios
// Method   kernel and loop in turn, results compared bit by bit before any time is taken
#include "bench.h"

enum { N = 1 << 24, SIDE = 1024 };

__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__attribute__((noinline)) void saxpy_loop(float a, const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

__global__ void add_strided(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = x[i] + 1;
}
__attribute__((noinline)) void add_loop(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] + 1;
}

__global__ void polynomial(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], s = 1;
  for (int k = 0; k < 16; ++k) s = s * v + 0.5f;
  y[i] = s;
}
__attribute__((noinline)) void polynomial_loop(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    float v = x[i], s = 1;
    for (int k = 0; k < 16; ++k) s = s * v + 0.5f;
    y[i] = s;
  }
}

__global__ void stencil(const float *x, float *y, int side) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < 1 || c < 1 || r >= side - 1 || c >= side - 1) return;
  const float *p = x + r * side + c;
  y[r * side + c] = 0.25f * (p[-1] + p[1] + p[-side] + p[side]);
}
__attribute__((noinline)) void stencil_loop(const float *x, float *y, int side) {
  for (int r = 1; r < side - 1; ++r)
    for (int c = 1; c < side - 1; ++c) {
      const float *p = x + r * side + c;
      y[r * side + c] = 0.25f * (p[-1] + p[1] + p[-side] + p[side]);
    }
}

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[r * n + i] * b[i * n + k];
  c[r * n + k] = sum;
}
__attribute__((noinline)) void multiply_loop(const float *a, const float *b, float *c, int n) {
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += a[r * n + i] * b[i * n + k];
      c[r * n + k] = sum;
    }
}

static float *x, *y, *z;

static void run_saxpy(void) { saxpy<<<N / 256, 256>>>(0.5f, x, y, N); }
static void run_saxpy_loop(void) { saxpy_loop(0.5f, x, z, N); }
static void run_strided(void) { add_strided<<<264, 256>>>(x, y, N); }
static void run_add_loop(void) { add_loop(x, z, N); }
static void run_polynomial(void) { polynomial<<<N / 256, 256>>>(x, y, N); }
static void run_polynomial_loop(void) { polynomial_loop(x, z, N); }
static void run_stencil(void) { stencil<<<dim3(SIDE / 32, SIDE / 8), dim3(32, 8)>>>(x, y, SIDE); }
static void run_stencil_loop(void) { stencil_loop(x, z, SIDE); }
static void run_multiply(void) { multiply<<<dim3(16, 16), dim3(16, 16)>>>(x, y + N / 2, y, 256); }
static void run_multiply_loop(void) { multiply_loop(x, z + N / 2, z, 256); }

int main(void) {
  CHECK(cudaMallocManaged(&x, N * sizeof *x));
  CHECK(cudaMallocManaged(&y, N * sizeof *y));
  CHECK(cudaMallocManaged(&z, N * sizeof *z));
  for (int i = 0; i < N; ++i) x[i] = (float)(bench_random() % 2000) / 1000 - 1;
  for (int i = 0; i < N; ++i) y[i] = z[i] = (float)(bench_random() % 2000) / 1000 - 1;
  bench_pair("saxpy, 16 Mi", run_saxpy, run_saxpy_loop, y, z, N);
  bench_pair("add in a grid-stride loop, 16 Mi", run_strided, run_add_loop, y, z, N);
  bench_pair("polynomial of degree 16, 16 Mi", run_polynomial, run_polynomial_loop, y, z, N);
  bench_pair("stencil of 5 points, 1024 x 1024", run_stencil, run_stencil_loop, y, z, SIDE * SIDE);
  bench_pair("matrix product, 256 x 256", run_multiply, run_multiply_loop, y, z, 256 * 256);
  return 0;
}
