// Least-significant-digit radix sort of 32-bit keys with values, 4 bits a pass, stable.
// expect: pass
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

constexpr int BITS = 4, BINS = 1 << BITS, THREADS = 128;

__global__ void count(const uint32_t *keys, int n, int shift, uint32_t *counts) {
  __shared__ uint32_t bins[BINS];
  if (threadIdx.x < BINS) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[(keys[i] >> shift) & (BINS - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < BINS) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// One block scans all counts exclusively, in chunks.
__global__ void exclusive(uint32_t *data, int n) {
  __shared__ uint32_t buf[THREADS];
  __shared__ uint32_t carry;
  if (threadIdx.x == 0) carry = 0;
  for (int base = 0; base < n; base += THREADS) {
    const int i = base + threadIdx.x;
    const uint32_t own = i < n ? data[i] : 0;
    buf[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
      const uint32_t v = threadIdx.x >= d ? buf[threadIdx.x - d] : 0;
      __syncthreads();
      buf[threadIdx.x] += v;
      __syncthreads();
    }
    if (i < n) data[i] = carry + buf[threadIdx.x] - own;
    __syncthreads();
    if (threadIdx.x == THREADS - 1) carry += buf[THREADS - 1];
    __syncthreads();
  }
}

__global__ void scatter(const uint32_t *keys, const int *vals, int n, int shift,
                        const uint32_t *offsets, uint32_t *keys_out, int *vals_out) {
  __shared__ uint32_t digit[THREADS];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t k = i < n ? keys[i] : 0;
  const uint32_t d = i < n ? (k >> shift) & (BINS - 1) : BINS;
  digit[threadIdx.x] = d;
  __syncthreads();
  if (i < n) {
    uint32_t rank = 0;
    for (int j = 0; j < int(threadIdx.x); ++j) rank += digit[j] == d;
    const uint32_t to = offsets[d * gridDim.x + blockIdx.x] + rank;
    keys_out[to] = k;
    vals_out[to] = vals[i];
  }
}

struct DeviceArrays {
  uint32_t *k0{}, *k1{}, *counts{};
  int *v0{}, *v1{};
  DeviceArrays(int n, int blocks) {
    cudaMalloc(&k0, n * sizeof *k0), cudaMalloc(&k1, n * sizeof *k1);
    cudaMalloc(&v0, n * sizeof *v0), cudaMalloc(&v1, n * sizeof *v1);
    cudaMalloc(&counts, BINS * blocks * sizeof *counts);
  }
  ~DeviceArrays() {
    for (void *p : {(void *)k0, (void *)k1, (void *)v0, (void *)v1, (void *)counts}) cudaFree(p);
  }
};

int main() {
  const int n = 10007, blocks = (n + THREADS - 1) / THREADS;
  std::mt19937 rng{2024};
  std::vector<uint32_t> keys(n);
  std::vector<int> vals(n), order(n);
  for (auto &k : keys) k = rng() % 3 ? rng() : rng() % 50;
  std::iota(vals.begin(), vals.end(), 0);
  order = vals;
  DeviceArrays d(n, blocks);
  cudaMemcpy(d.k0, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice);
  cudaMemcpy(d.v0, vals.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int shift = 0; shift < 32; shift += BITS) {
    count<<<blocks, THREADS>>>(d.k0, n, shift, d.counts);
    exclusive<<<1, THREADS>>>(d.counts, BINS * blocks);
    scatter<<<blocks, THREADS>>>(d.k0, d.v0, n, shift, d.counts, d.k1, d.v1);
    std::swap(d.k0, d.k1);
    std::swap(d.v0, d.v1);
  }
  std::vector<uint32_t> got(n);
  cudaMemcpy(got.data(), d.k0, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  cudaMemcpy(vals.data(), d.v0, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::sort(keys.begin(), keys.end());
  const bool ok = got == keys && order == vals;
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
