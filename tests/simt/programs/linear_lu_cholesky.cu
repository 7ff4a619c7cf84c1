// LU without pivoting and Cholesky in one block each, with templates over the scalar type.
// expect: pass
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

namespace {

template <typename T> __global__ void lu_inplace(T *a, int n) {
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) a[i * n + k] /= a[k * n + k];
    __syncthreads();
    const int rest = n - k - 1;
    for (int e = threadIdx.x; e < rest * rest; e += blockDim.x) {
      const int i = k + 1 + e / rest, j = k + 1 + e % rest;
      a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
    __syncthreads();
  }
}

template <typename T> __global__ void cholesky_inplace(T *a, int n) {
  extern __shared__ unsigned char raw[];
  T *column = reinterpret_cast<T *>(raw);
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x == 0) a[k * n + k] = sqrt(a[k * n + k]);
    __syncthreads();
    const T d = a[k * n + k];
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
      column[i] = a[i * n + k] = a[i * n + k] / d;
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
      for (int j = k + 1; j <= i; ++j) a[i * n + j] -= column[i] * column[j];
    __syncthreads();
  }
}

template <typename T> double check(int n, bool cholesky) {
  std::vector<T> a(n * n), w(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = T(1) / T(1 + std::abs(i - j)) + (i == j ? T(n) : T(0));
  T *d = nullptr;
  cudaMalloc(&d, a.size() * sizeof(T));
  cudaMemcpy(d, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  if (cholesky)
    cholesky_inplace<T><<<1, 64, n * sizeof(T)>>>(d, n);
  else
    lu_inplace<<<1, 128>>>(d, n);
  cudaMemcpy(w.data(), d, w.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d);
  double worst = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = 0;
      for (int k = 0; k <= j; ++k)
        s += cholesky ? double(w[i * n + k]) * w[j * n + k]
                      : (k == i ? 1.0 : double(w[i * n + k])) * w[k * n + j];
      worst = std::fmax(worst, std::fabs(s - a[i * n + j]));
    }
  return worst;
}

} // namespace

int main() {
  const double lf = check<float>(40, false), ld = check<double>(40, false);
  const double cf = check<float>(33, true), cd = check<double>(33, true);
  std::cout << "LU " << lf << ' ' << ld << ", Cholesky " << cf << ' ' << cd << std::endl;
  const bool good = lf < 1e-3 && ld < 1e-10 && cf < 1e-3 && cd < 1e-10;
  std::cout << (good ? "PASSED" : "FAILED") << std::endl;
  return !good;
}
