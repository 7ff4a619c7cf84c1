// Minimum, maximum and mean with generic functors; float atomics by compare-and-swap loops.
// expect: pass
#include <cfloat>
#include <cmath>
#include <iostream>
#include <limits>
#include <vector>

__device__ static float atomicMax(float *address, float val) {
  int *address_as_i = (int *)address;
  int old = *address_as_i, assumed;
  do {
    assumed = old;
    old = ::atomicCAS(address_as_i, assumed, __float_as_int(::fmaxf(val, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *a, double b) { return b; }
#endif

__device__ double atomicAddOld(double *address, double val) {
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed,
                    __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

template <typename T> struct Max {
  static __host__ __device__ T identity() { return -FLT_MAX; }
  __host__ __device__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
};
template <typename T> struct Min {
  static __host__ __device__ T identity() { return FLT_MAX; }
  __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? a : b; }
};
template <typename T> struct Plus {
  static __host__ __device__ T identity() { return T(0); }
  __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};

template <typename T, template <typename> class Op, int BLOCK>
__global__ void fold(const T *in, int n, T *out) {
  __shared__ T s[BLOCK];
  Op<T> op;
  T v = Op<T>::identity();
  for (int i = threadIdx.x; i < n; i += BLOCK) v = op(v, in[i]);
  s[threadIdx.x] = v;
  __syncthreads();
#pragma unroll
  for (int k = BLOCK / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}

__global__ void by_atomics(const float *in, int n, float *top, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMax(top, in[i]);
    atomicAddOld(sum, in[i]);
  }
}

int main() {
  const int n = 4321;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = std::sin(i * 0.7f) * (i % 100);
  float *d, *o, lo, hi, sum, top = -1e30f;
  double *ds, zero = 0, dsum;
  cudaMalloc(&d, n * sizeof(float)), cudaMalloc(&o, 4 * sizeof(float)),
      cudaMalloc(&ds, sizeof(double));
  cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(o + 3, &top, sizeof top, cudaMemcpyHostToDevice);
  cudaMemcpy(ds, &zero, sizeof zero, cudaMemcpyHostToDevice);
  fold<float, Min, 256><<<1, 256>>>(d, n, o);
  fold<float, Max, 256><<<1, 256>>>(d, n, o + 1);
  fold<float, Plus, 128><<<1, 128>>>(d, n, o + 2);
  by_atomics<<<(n + 99) / 100, 100>>>(d, n, o + 3, ds);
  cudaMemcpy(&lo, o, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hi, o + 1, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, o + 2, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&top, o + 3, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&dsum, ds, 8, cudaMemcpyDeviceToHost);
  float wlo = std::numeric_limits<float>::max(), whi = -wlo;
  double wsum = 0;
  for (float v : h) wlo = std::min(wlo, v), whi = std::max(whi, v), wsum += v;
  bool ok = lo == wlo && hi == whi && top == whi && std::fabs(dsum - wsum) < 1e-9 * n &&
            std::fabs(sum - wsum) < 0.05;
  std::cout << lo << " .. " << hi << ", sum " << sum << " " << dsum << "\n"
            << (ok ? "PASSED" : "FAILED") << "\n";
  cudaFree(d); cudaFree(o); cudaFree(ds);
  return !ok;
}
