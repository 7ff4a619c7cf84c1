// Warp matrix multiply-accumulate: every type and shape against a triple loop. All values are
// small whole numbers, so that every order of adding gives the same.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

static int failures;

static void expect(double got, double want, const char *what, int i) {
  if (got == want || ++failures > 10) return;
  std::printf("wrong: %s [%d] is %g, not %g\n", what, i, got, want);
}

template <class T, class R, int M, int N, int K, class LayoutA, class LayoutB>
__global__ void multiply(const T *a, const T *b, const R *c, R *d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, R> sum, twice;
  wmma::load_matrix_sync(left, a, lda);
  wmma::load_matrix_sync(right, b, ldb);
  wmma::load_matrix_sync(sum, c, ldc, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::fill_fragment(twice, R(0));
  for (int i = 0; i < sum.num_elements; ++i) twice.x[i] = sum.x[i] + sum.x[i];
  wmma::store_matrix_sync(d, sum, ldc, wmma::mem_row_major);
  wmma::store_matrix_sync(d + M * ldc, twice, M, wmma::mem_col_major);
}

template <class L> struct by_columns;
template <> struct by_columns<wmma::row_major> { static const bool value = false; };
template <> struct by_columns<wmma::col_major> { static const bool value = true; };

template <class T, class R, int M, int N, int K, class LayoutA, class LayoutB>
static void check(const char *what, int low) {
  const bool a_columns = by_columns<LayoutA>::value, b_columns = by_columns<LayoutB>::value;
  const int lda = (a_columns ? M : K) + 16, ldb = (b_columns ? K : N) + 16, ldc = N + 16;
  T *a, *b;
  R *c, *d;
  cudaMallocManaged(&a, lda * 64 * sizeof(T));
  cudaMallocManaged(&b, ldb * 64 * sizeof(T));
  cudaMallocManaged(&c, ldc * M * sizeof(R));
  cudaMallocManaged(&d, (ldc * M + M * N) * sizeof(R));
  for (int i = 0; i < M * ldc; ++i) c[i] = R(float(i % 11 - 5));
  int left[32][16], right[16][32];
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < K; ++k) {
      left[i][k] = (i * 5 + k * 3) % 8 + low;
      a[a_columns ? k * lda + i : i * lda + k] = T(float(left[i][k]));
    }
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < N; ++j) {
      right[k][j] = (k * 7 + j) % 6 + low;
      b[b_columns ? j * ldb + k : k * ldb + j] = T(float(right[k][j]));
    }
  multiply<T, R, M, N, K, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, lda, ldb, ldc);
  expect(cudaDeviceSynchronize(), cudaSuccess, what, -1);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = (i * ldc + j) % 11 - 5;
      for (int k = 0; k < K; ++k) sum += left[i][k] * right[k][j];
      expect(double(float(d[i * ldc + j])), sum, what, i * N + j);
      expect(double(float(d[M * ldc + j * M + i])), 2 * sum, what, i * N + j);
    }
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

template <class T, class R> static void check_shapes(const char *what, int low) {
  check<T, R, 16, 16, 16, wmma::row_major, wmma::col_major>(what, low);
  check<T, R, 16, 16, 16, wmma::col_major, wmma::row_major>(what, low);
  check<T, R, 32, 8, 16, wmma::row_major, wmma::row_major>(what, low);
  check<T, R, 8, 32, 16, wmma::col_major, wmma::col_major>(what, low);
}

__global__ void multiply_tf32(const float *a, const float *b, float *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 8);
  wmma::load_matrix_sync(right, b, 16);
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = wmma::__float_to_tf32(left.x[i]);
  for (int i = 0; i < right.num_elements; ++i) right.x[i] = wmma::__float_to_tf32(right.x[i]);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

// 1 + 2^-12 is rounded to 1: ten bits of fraction are kept.
static void check_tf32() {
  float *a, *b, *d;
  cudaMallocManaged(&a, 128 * sizeof(float));
  cudaMallocManaged(&b, 128 * sizeof(float));
  cudaMallocManaged(&d, 256 * sizeof(float));
  for (int i = 0; i < 128; ++i) a[i] = i % 9 + 1.0f / 4096, b[i] = i % 5;
  a[0] = 0; // 2^-12 by itself would be kept
  for (int i = 0; i < 128; ++i)
    if (i % 9 == 0) a[i] = 0;
  multiply_tf32<<<1, 32>>>(a, b, d);
  expect(cudaDeviceSynchronize(), cudaSuccess, "tf32", -1);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      double sum = 0;
      for (int k = 0; k < 8; ++k) sum += (i * 8 + k) % 9 * ((k * 16 + j) % 5);
      expect(d[i * 16 + j], sum, "tf32", i * 16 + j);
    }
  cudaFree(a), cudaFree(b), cudaFree(d);
}

// 64 x 64 x 64 by four warps, a tile of 16 x 16 each at a time.
__global__ void matrix(const half *a, const half *b, float *c, int n) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, tiles = n / 16;
  const int row = warp / tiles * 16, column = warp % tiles * 16;
  if (row >= n) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + k * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

static void check_matrix() {
  const int n = 64;
  half *a, *b;
  float *c;
  cudaMallocManaged(&a, n * n * sizeof(half));
  cudaMallocManaged(&b, n * n * sizeof(half));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i) {
    a[i] = __float2half(float(i % 13 - 6));
    b[i] = __float2half(float(i % 7 - 3) / 4);
  }
  matrix<<<5, 128>>>(a, b, c, n);
  expect(cudaDeviceSynchronize(), cudaSuccess, "matrix", -1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += ((i * n + k) % 13 - 6) * (((k * n + j) % 7 - 3) / 4.0);
      expect(c[i * n + j], sum, "matrix", i * n + j);
    }
  cudaFree(a), cudaFree(b), cudaFree(c);
}

int main() {
  check_shapes<half, float>("half, float sums", -3);
  check_shapes<half, half>("half", -3);
  check_shapes<__nv_bfloat16, float>("bfloat16", -3);
  check_shapes<signed char, int>("signed char", -4);
  check_shapes<unsigned char, int>("unsigned char", 120);
  check<double, double, 8, 8, 4, wmma::row_major, wmma::col_major>("double", -3);
  check_tf32();
  check_matrix();
  if (failures) return 1;
  std::printf("PASSED\n");
  return 0;
}
