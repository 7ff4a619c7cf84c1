// Extended lambdas: device and host-device lambdas through generic launchers, captures, std::forward.
// expect: pass
// flags: -std=c++17 --extended-lambda
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

template <typename F> __global__ void apply_kernel(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename F> void parallel_for(int n, F &&f) {
  apply_kernel<<<(n + 127) / 128, 128>>>(n, std::forward<F>(f));
}

template <typename T, typename Op>
__global__ void reduce_kernel(const T *in, int n, T init, Op op, T *out) {
  extern __shared__ unsigned char memory[];
  T *s = reinterpret_cast<T *>(memory);
  T v = init;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v = op(v, in[i]);
  s[threadIdx.x] = v;
  __syncthreads();
  for (int k = blockDim.x >> 1; k; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  if (!threadIdx.x) *out = s[0];
}

class Scaler {
  float factor_;

public:
  Scaler(float f) : factor_(f) {}
  void run(float *data, int n) const {
    const float f = factor_;
    parallel_for(n, [=] __device__(int i) { data[i] *= f; });
  }
};

int main() {
  const int n = 1000;
  float *a;
  int *b, *r;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(int));
  cudaMallocManaged(&r, 2 * sizeof(int));
  const float slope = 0.5f;
  parallel_for(n, [=] __device__(int i) { a[i] = slope * i; });
  Scaler(4.0f).run(a, n);
  auto square = [] __host__ __device__(int v) { return v * v; };
  parallel_for(n, [b, square] __device__(int i) {
    auto twice = [](int v) { return 2 * v; };
    b[i] = twice(square(i % 10));
  });
  reduce_kernel<<<1, 64, 64 * sizeof(int)>>>(
      b, n, 0, [] __device__(int x, int y) { return x + y; }, r);
  reduce_kernel<<<1, 64, 64 * sizeof(int)>>>(
      b, n, 1 << 30, [] __device__(int x, int y) -> int { return x < y ? x : y; }, r + 1);
  cudaDeviceSynchronize();
  int bad = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    bad += a[i] != 2.0f * i;
    bad += b[i] != 2 * square(i % 10);
    sum += b[i];
  }
  bad += r[0] != sum || r[1] != 0;
  printf("%d %d\n%s\n", r[0], r[1], bad ? "FAILED" : "PASSED");
  cudaFree(a); cudaFree(b); cudaFree(r);
  return bad;
}
