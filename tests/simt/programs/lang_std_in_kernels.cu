// Standard library pieces that are constexpr, used on the device: array, limits, pair, tuple, min, swap, optional.
// expect: pass
// flags: -std=c++17 --expt-relaxed-constexpr
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

using Key = std::pair<int, float>;

__device__ std::tuple<int, float> split(float v) { return {int(v), v - int(v)}; }

template <std::size_t... I>
__device__ int sum(const std::array<int, sizeof...(I)> &a, std::index_sequence<I...>) {
  return (a[I] + ...);
}

__global__ void k(float *out, std::array<int, 4> values) {
  int n = 0;
  out[n++] = std::numeric_limits<float>::max() > 1e38f;
  out[n++] = std::numeric_limits<int>::min() < 0;
  out[n++] = std::min(3, 5) + std::max(2.0f, 1.0f);
  std::array<float, 3> a{3, 1, 2};
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = i + 1; j < a.size(); ++j)
      if (a[j] < a[i]) {
        float t = a[i];
        a[i] = a[j];
        a[j] = t;
      }
  out[n++] = a[0] * 100 + a[1] * 10 + a[2];
  Key key{4, 0.5f};
  out[n++] = key.first + key.second;
  auto [whole, part] = split(7.25f);
  out[n++] = whole + 4 * part;
  out[n++] = sum(values, std::make_index_sequence<4>());
  out[n++] = std::is_same<std::decay_t<const int &>, int>::value;
  out[n++] = std::sqrt(16.0f) + std::abs(-2.0f) + std::pow(2.0f, 3.0f) + std::floor(1.5f);
  out[n++] = std::isnan(NAN) + std::isinf(INFINITY);
  uint64_t wide = UINT64_MAX;
  out[n++] = (float)(wide >> 62);
  std::size_t size = sizeof(values);
  out[n++] = (float)size;
}

int main() {
  float *p;
  cudaMallocManaged(&p, 16 * sizeof(float));
  k<<<1, 1>>>(p, {1, 2, 3, 4});
  cudaDeviceSynchronize();
  const float want[] = {1, 1, 5, 123, 4.5f, 8, 10, 1, 15, 2, 3, 16};
  int bad = 0;
  for (int i = 0; i < 12; i++)
    if (p[i] != want[i]) printf("%d: %f\n", i, p[i]), bad++;
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}
