// C++20: concepts, constrained templates, span on the host, designated initialisers, spaceship, lambdas in templates.
// expect: pass
// flags: -std=c++20
#include <compare>
#include <concepts>
#include <cstdio>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>

template <class T>
concept Arithmetic = std::integral<T> || std::floating_point<T>;

template <class F, class T>
concept BinaryOp = requires(F f, T a) {
  { f(a, a) } -> std::convertible_to<T>;
};

struct Parameters {
  int n = 0;
  float scale = 1.0f;
  bool negate = false;
};

template <Arithmetic T> __global__ void transform(T *data, Parameters p) {
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<unsigned>(p.n)) return;
  T v = data[i] * static_cast<T>(p.scale);
  data[i] = p.negate ? -v : v;
}

struct Plus {
  template <class T> __host__ __device__ constexpr T operator()(T a, T b) const { return a + b; }
};

template <Arithmetic T, BinaryOp<T> Op> __global__ void fold(const T *in, int n, T *out, Op op) {
  T v = in[0];
  for (int i = 1; i < n; ++i) v = op(v, in[i]);
  *out = v;
}

struct Version {
  int major, minor;
  auto operator<=>(const Version &) const = default;
};

template <Arithmetic T> class DeviceVector {
  T *p_ = nullptr;
  std::size_t n_;

public:
  explicit DeviceVector(std::span<const T> host) : n_(host.size()) {
    cudaMalloc(&p_, host.size_bytes());
    cudaMemcpy(p_, host.data(), host.size_bytes(), cudaMemcpyHostToDevice);
  }
  ~DeviceVector() { cudaFree(p_); }
  DeviceVector(const DeviceVector &) = delete;
  [[nodiscard]] std::vector<T> host() const {
    std::vector<T> v(n_);
    cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
  T *data() { return p_; }
};

int main() {
  std::vector<double> v(100);
  std::iota(v.begin(), v.end(), 1.0);
  DeviceVector<double> d{std::span<const double>(v)};
  transform<<<1, 128>>>(d.data(), Parameters{.n = 100, .scale = 2.0f, .negate = true});
  auto h = d.host();
  bool ok = true;
  for (std::size_t i{}; const double x : h) ok = ok && x == -2.0 * v[i++];
  DeviceVector<double> out{std::span<const double>(v).first(1)};
  fold<<<1, 1>>>(d.data(), 100, out.data(), Plus{});
  ok = ok && out.host()[0] == -10100.0;
  auto even = h | std::views::filter([](double x) { return x < -100; });
  ok = ok && std::ranges::distance(even) == 50 && Version{1, 2} < Version{1, 3};
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
