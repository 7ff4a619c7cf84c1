// A small linear algebra library with a common launcher, error results by enum, level 1 to 3 routines and leading dimensions.
// expect: pass
// flags: -std=c++17
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace la {

enum class status { ok, bad_size, cuda };
enum class op { none, trans };

inline status from(cudaError_t e) { return e == cudaSuccess ? status::ok : status::cuda; }

template <class T> struct matrix_view {
  T *data;
  int rows, cols, ld;
  __host__ __device__ T &operator()(int r, int c) const { return data[c * ld + r]; } // column major
};

namespace kernel {
template <class T> __global__ void scal(int n, T a, T *x, int inc) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i * inc] *= a;
}
template <class T, op A, op B, int TILE>
__global__ void gemm(T alpha, matrix_view<const T> a, matrix_view<const T> b, T beta,
                     matrix_view<T> c, int k) {
  __shared__ T as[TILE][TILE + 1], bs[TILE][TILE + 1];
  const int r = blockIdx.x * TILE + threadIdx.x, col = blockIdx.y * TILE + threadIdx.y;
  T acc{};
  for (int base = 0; base < k; base += TILE) {
    const int ka = base + threadIdx.y, kb = base + threadIdx.x;
    as[threadIdx.x][threadIdx.y] =
        r < c.rows && ka < k ? (A == op::none ? a(r, ka) : a(ka, r)) : T(0);
    bs[threadIdx.x][threadIdx.y] =
        col < c.cols && kb < k ? (B == op::none ? b(kb, col) : b(col, kb)) : T(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) acc += as[threadIdx.x][i] * bs[i][threadIdx.y];
    __syncthreads();
  }
  if (r < c.rows && col < c.cols)
    c(r, col) = alpha * acc + (beta == T(0) ? T(0) : beta * c(r, col));
}
template <class T> __global__ void norm2(int n, const T *x, int inc, T *out) {
  T s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i * inc] * x[i * inc];
  for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
  __shared__ T parts[32];
  if (threadIdx.x % warpSize == 0) parts[threadIdx.x / warpSize] = s;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    s = threadIdx.x < (blockDim.x + warpSize - 1) / warpSize ? parts[threadIdx.x] : T(0);
    for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
    if (threadIdx.x == 0) *out = sqrt(s);
  }
}
} // namespace kernel

template <class T> status scal(int n, T a, T *x, int inc = 1) {
  if (n < 0 || inc < 1) return status::bad_size;
  if (n == 0) return status::ok;
  kernel::scal<<<std::min(64, (n + 127) / 128), 128>>>(n, a, x, inc);
  return from(cudaGetLastError());
}

template <class T>
status gemm(op ta, op tb, T alpha, matrix_view<const T> a, matrix_view<const T> b, T beta,
            matrix_view<T> c) {
  constexpr int TILE = std::is_same_v<T, double> ? 8 : 16;
  const int k = ta == op::none ? a.cols : a.rows;
  const dim3 block(TILE, TILE), grid((c.rows + TILE - 1) / TILE, (c.cols + TILE - 1) / TILE);
#define LAUNCH(A, B) kernel::gemm<T, op::A, op::B, TILE><<<grid, block>>>(alpha, a, b, beta, c, k)
  if (ta == op::none && tb == op::none)
    LAUNCH(none, none);
  else if (ta == op::none)
    LAUNCH(none, trans);
  else if (tb == op::none)
    LAUNCH(trans, none);
  else
    LAUNCH(trans, trans);
#undef LAUNCH
  return from(cudaGetLastError());
}

template <class T> status norm2(int n, const T *x, int inc, T &result) {
  T *d;
  if (auto s = from(cudaMalloc(&d, sizeof(T))); s != status::ok) return s;
  kernel::norm2<T><<<1, 256>>>(n, x, inc, d);
  cudaMemcpy(&result, d, sizeof(T), cudaMemcpyDeviceToHost);
  return from(cudaFree(d));
}

} // namespace la

template <class T> static int test(const char *name, double tolerance) {
  const int m = 37, n = 29, k = 45, lda = 50, ldc = 40;
  std::vector<T> a(lda * 50), b(lda * 50), c(ldc * n), want(ldc * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = T((i * 37 % 101) / 50.0 - 1), b[i] = T((i * 53 % 97) / 48.0 - 1);
  for (size_t i = 0; i < c.size(); ++i) c[i] = T(i % 7);
  T *da, *db, *dc;
  cudaMalloc(&da, a.size() * sizeof(T)), cudaMalloc(&db, b.size() * sizeof(T)),
      cudaMalloc(&dc, c.size() * sizeof(T));
  cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
  int bad = 0;
  for (la::op ta : {la::op::none, la::op::trans})
    for (la::op tb : {la::op::none, la::op::trans}) {
      cudaMemcpy(dc, c.data(), c.size() * sizeof(T), cudaMemcpyHostToDevice);
      const bool an = ta == la::op::none, bn = tb == la::op::none;
      la::matrix_view<const T> va{da, an ? m : k, an ? k : m, lda},
          vb{db, bn ? k : n, bn ? n : k, lda};
      bad += la::gemm<T>(ta, tb, T(2), va, vb, T(-1), {dc, m, n, ldc}) != la::status::ok;
      cudaMemcpy(want.data(), dc, want.size() * sizeof(T), cudaMemcpyDeviceToHost);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          double s = 0;
          for (int l = 0; l < k; ++l)
            s += double(an ? a[l * lda + i] : a[i * lda + l]) *
                 (bn ? b[j * lda + l] : b[l * lda + j]);
          bad += std::fabs(2 * s - c[j * ldc + i] - want[j * ldc + i]) > tolerance;
        }
    }
  T norm = 0;
  bad += la::norm2(500, da, 2, norm) != la::status::ok;
  double s = 0;
  for (int i = 0; i < 500; ++i) s += double(a[2 * i]) * a[2 * i];
  bad += std::fabs(norm - std::sqrt(s)) > tolerance;
  bad += la::scal(-1, T(1), da) != la::status::bad_size || la::scal(0, T(1), da) != la::status::ok;
  cudaFree(da), cudaFree(db), cudaFree(dc);
  std::printf("%s: %d wrong\n", name, bad);
  return bad;
}

int main() {
  const int bad = test<float>("float", 1e-3) + test<double>("double", 1e-10);
  std::puts(bad ? "FAILED" : "PASSED");
  return bad;
}
