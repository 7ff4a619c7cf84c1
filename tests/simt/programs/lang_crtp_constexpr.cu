// CRTP, constexpr functions and tables, static members, enum class, nested types, using aliases.
// expect: pass
// flags: -std=c++14 --expt-relaxed-constexpr
#include <cstdint>
#include <cstdio>

template <class Derived> struct Functor {
  __host__ __device__ int operator()(int x) const {
    return static_cast<const Derived *>(this)->call(x) + Derived::bias;
  }
};
struct Square : Functor<Square> {
  static constexpr int bias = 1;
  __host__ __device__ int call(int x) const { return x * x; }
};
struct Cube : Functor<Cube> {
  enum { bias = 2 };
  __host__ __device__ int call(int x) const { return x * x * x; }
};

constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
__host__ __device__ constexpr int clamp_to(int v, int lo, int hi) {
  return v < lo ? lo : (v > hi ? hi : v);
}
constexpr int log2_of(unsigned n) {
  int r = 0;
  while (n > 1) n >>= 1, ++r;
  return r;
}

enum class Mode : uint8_t { Plain, Double, Negate };

struct Settings {
  static const int kTile = 16;
  static constexpr unsigned kLog = log2_of(1024);
  using value_type = long long;
  struct Inner {
    value_type v;
  };
};

template <class F> __global__ void apply(const Functor<F> f, int *out) {
  out[threadIdx.x] = f(threadIdx.x);
}
template <class F> __global__ void apply_it(F f, int *out) { out[threadIdx.x] += f(threadIdx.x); }

__global__ void modes(Mode m, Settings::Inner *out) {
  __shared__ int tile[Settings::kTile][gcd(48, 36) + 1];
  tile[threadIdx.x % Settings::kTile][threadIdx.x / Settings::kTile] = threadIdx.x;
  __syncthreads();
  Settings::value_type v = tile[threadIdx.x % 16][threadIdx.x / 16];
  switch (m) {
  case Mode::Double: v *= 2; break;
  case Mode::Negate: v = -v;
  case Mode::Plain: break;
  }
  out[threadIdx.x].v = clamp_to((int)v, -20, 40) + static_cast<int>(Settings::kLog);
}

int main() {
  int bad = 0, *out;
  Settings::Inner *inner;
  cudaMallocManaged(&out, 32 * sizeof(int)), cudaMallocManaged(&inner, 32 * sizeof(*inner));
  apply_it<<<1, 32>>>(Square(), out);
  cudaDeviceSynchronize();
  cudaMemset(out, 0, 32 * sizeof(int));
  apply_it<<<1, 32>>>(Square(), out);
  apply_it<<<1, 32>>>(Cube{}, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++) bad += out[i] != i * i + 1 + i * i * i + 2;
  for (Mode m : {Mode::Plain, Mode::Double, Mode::Negate}) {
    modes<<<1, 32>>>(m, inner);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) {
      int v = m == Mode::Plain ? i : m == Mode::Double ? 2 * i : -i;
      bad += inner[i].v != clamp_to(v, -20, 40) + 10;
    }
  }
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(out); cudaFree(inner);
  return bad;
}
