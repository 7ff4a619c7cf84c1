// Templates: non-type parameters, specialisation, template template, variadic kernels, if constexpr, traits.
// expect: pass
// flags: -std=c++17
#include <array>
#include <cstdint>
#include <cstdio>
#include <tuple>
#include <type_traits>
#include <vector>

template <typename T> struct Traits;
template <> struct Traits<float> {
  static constexpr int id = 1;
  static __host__ __device__ float half(float v) { return v * 0.5f; }
};
template <> struct Traits<int> {
  static constexpr int id = 2;
  static __host__ __device__ int half(int v) { return v >> 1; }
};
template <typename T> struct Traits<T *> { static constexpr int id = 100 + Traits<T>::id; };

template <typename T, unsigned N, bool Reverse = false> __global__ void shuffle(T *data) {
  __shared__ T s[N];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if constexpr (Reverse)
    data[threadIdx.x] = Traits<T>::half(s[N - 1 - threadIdx.x]);
  else
    data[threadIdx.x] = Traits<T>::half(s[threadIdx.x]);
}

// An explicit specialisation of a kernel.
template <typename T> __global__ void kind(int *out) { *out = Traits<T>::id; }
template <> __global__ void kind<double>(int *out) { *out = -1; }
template __global__ void kind<float *>(int *);

template <typename... Ts> __global__ void sum_all(double *out, Ts... values) {
  double total = 0;
  ((total += static_cast<double>(values)), ...);
  *out = total + sizeof...(Ts);
}

template <typename First> __host__ __device__ First biggest(First f) { return f; }
template <typename First, typename... Rest> __host__ __device__ First biggest(First f, Rest... r) {
  const First other = biggest(static_cast<First>(r)...);
  return f > other ? f : other;
}
template <typename... A> __global__ void biggest_kernel(int *out, A... a) { *out = biggest(a...); }

template <template <class> class Box, class T> __global__ void boxed(T *out) {
  Box<T> b;
  b.set(T(7));
  *out = b.get();
}
template <class T> struct Simple {
  T v;
  __device__ void set(T x) { v = x; }
  __device__ T get() const { return v * 6; }
};

template <int... Is> struct Sequence {};
template <int... Is> __global__ void write_sequence(int *out, Sequence<Is...>) {
  const int v[] = {Is...};
  for (unsigned i = 0; i < sizeof...(Is); ++i) out[i] = v[i];
}

template <class T, int M, int N> struct Matrix {
  T m[M][N];
  template <int K> __host__ __device__ Matrix<T, M, K> operator*(const Matrix<T, N, K> &o) const {
    Matrix<T, M, K> r{};
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < K; ++j)
        for (int k = 0; k < N; ++k) r.m[i][j] += m[i][k] * o.m[k][j];
    return r;
  }
};
template <class T>
__global__ void product(Matrix<T, 2, 3> a, Matrix<T, 3, 2> b, Matrix<T, 2, 2> *c) {
  *c = a * b;
}

int main() {
  int bad = 0, *di;
  float *df;
  double *dd;
  cudaMallocManaged(&di, 64 * sizeof(int)), cudaMallocManaged(&df, 64 * sizeof(float)),
      cudaMallocManaged(&dd, 8);
  for (int i = 0; i < 64; ++i) di[i] = 2 * i, df[i] = i;
  shuffle<int, 64><<<1, 64>>>(di);
  shuffle<float, 64, true><<<1, 64>>>(df);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) bad += di[i] != i || df[i] != (63 - i) * 0.5f;
  kind<int><<<1, 1>>>(di), kind<float *><<<1, 1>>>(di + 1), kind<double><<<1, 1>>>(di + 2);
  sum_all<<<1, 1>>>(dd, 1, 2.5f, 3.25, 'a', 5u);
  biggest_kernel<<<1, 1>>>(di + 3, 3, 9, -4, 8);
  boxed<Simple><<<1, 1>>>(di + 4);
  write_sequence<<<1, 1>>>(di + 8, Sequence<3, 1, 4, 1, 5>{});
  Matrix<int, 2, 3> a = {{{1, 2, 3}, {4, 5, 6}}};
  Matrix<int, 3, 2> b = {{{1, 0}, {0, 1}, {2, 2}}};
  Matrix<int, 2, 2> *c;
  cudaMallocManaged(&c, sizeof *c);
  product<int><<<1, 1>>>(a, b, c);
  cudaDeviceSynchronize();
  bad += di[0] != 2 || di[1] != 101 || di[2] != -1 || di[3] != 9 || di[4] != 42;
  bad += *dd != 1 + 2.5 + 3.25 + 97 + 5 + 5;
  bad += di[8] != 3 || di[10] != 4 || di[12] != 5;
  bad += c->m[0][0] != 7 || c->m[0][1] != 8 || c->m[1][0] != 16 || c->m[1][1] != 17;
  std::puts(bad ? "FAILED" : "PASSED");
  cudaFree(di); cudaFree(df); cudaFree(dd); cudaFree(c);
  return bad;
}
