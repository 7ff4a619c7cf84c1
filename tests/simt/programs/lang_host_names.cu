// flags: -expt-relaxed-constexpr
// Functions of the host whose names mean something else on the device: all of it compiles.
#include <algorithm>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;
using namespace cooperative_groups;

// The host's own, beside what CUDA, a group, a member or a template parameter has.
int reduce(const int *v, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i];
  return sum;
}
int scale(int x) { return 3 * x; }
int pick(int x) { return x; }
int twice(int x) { return 2 * x; }
__device__ int twice(long x) { return static_cast<int>(2 * x); }
constexpr int limit(int x) { return x > 100 ? 100 : x; }
template <class T> T first(T a, T) { return a; }
template <class T> __host__ __device__ T second(T, T b) { return b; }
static int only_host(int x) { return x + 1; }
__host__ __device__ inline int either(int x) {
#ifdef __CUDA_ARCH__
  return x + 1;
#else
  return only_host(x);
#endif
}
#ifdef __CUDA_ARCH__
__device__ int chosen(int x) { return x; }
#else
int chosen(int x) { return -x; }
#endif

struct scaler {
  int by;
  __device__ int scale(int x) const { return by * x; }
  __device__ int both(int x) const { return scale(x); }
};

template <class F> __global__ void each(int *v, F pick) { v[threadIdx.x] = pick(v[threadIdx.x]); }

__global__ void all(int *v) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = threadIdx.x;
  const scaler s = {2};
  auto local = [](int x) { return x + 1; };
  int pick(4);
  int sum = reduce(tile, v[i], cg::plus<int>());
  sum += s.both(i) + s.scale(i) + twice(static_cast<long>(i)) + local(i) + pick;
  sum += limit(i) + second(1, i) + either(i) + std::min(i, 3) + std::max(2, i) + max(i, 5);
  sum += static_cast<int>(sqrtf(16) + std::abs(-2.0f) + fabs(-1.0)) + chosen(i);
  sum += static_cast<int>(sizeof(only_host(1))) + static_cast<decltype(scale(1))>(1);
  v[i] = sum;
}

int main() {
  int *v, host[32];
  cudaMallocManaged(&v, sizeof host);
  for (int i = 0; i < 32; ++i) v[i] = host[i] = i;
  all<<<1, 32>>>(v);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool fine = true;
  for (int i = 0; i < 32; ++i) {
    int sum = reduce(host, 32) + 4 * i + 2 * i + i + 1 + 4 + limit(i) + i + i + 1;
    sum += std::min(i, 3) + std::max(2, i) + std::max(i, 5) + 4 + 2 + 1 + i + 4 + 1;
    fine &= v[i] == sum;
  }
  each<<<1, 32>>>(v, [] __device__(int x) { return x - 1; });
  fine &= cudaDeviceSynchronize() == cudaSuccess && scale(1) == 3 && pick(2) == 2 && twice(2) == 4;
  std::printf("%s %d %d\n", fine ? "PASSED" : "FAILED", first(1, 2), chosen(1));
  cudaFree(v);
  return !fine;
}
