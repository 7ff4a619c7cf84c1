// Ising model with checkerboard updates; own random generator per site, energy by reduction.
// expect: pass
#include <cstdint>
#include <cstdio>
#include <vector>

using spin_t = signed char;

struct Rng {
  uint64_t s;
  __host__ __device__ explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 1) {}
  __host__ __device__ uint32_t next() {
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    return static_cast<uint32_t>((s * 2685821657736338717ull) >> 32);
  }
  __host__ __device__ float uniform() { return next() * (1.0f / 4294967296.0f); }
};

template <bool Black>
__host__ __device__ void update_site(spin_t *s, int n, int x, int y, float beta, unsigned sweep) {
  if (((x + y) & 1) != (Black ? 1 : 0)) return;
  const int up = s[((y + n - 1) % n) * n + x], dn = s[((y + 1) % n) * n + x];
  const int le = s[y * n + (x + n - 1) % n], ri = s[y * n + (x + 1) % n];
  const int dE = 2 * s[y * n + x] * (up + dn + le + ri);
  Rng r((uint64_t(sweep) << 32) | (y * n + x));
  r.next();
  const float p = 1.0f / (1.0f + beta * dE * (dE > 0 ? dE : 0));
  if (dE <= 0 || r.uniform() < p) s[y * n + x] = -s[y * n + x];
}

template <bool Black> __global__ void update(spin_t *s, int n, float beta, unsigned sweep) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < n && y < n) update_site<Black>(s, n, x, y, beta, sweep);
}

__global__ void magnetisation(const spin_t *s, int count, int *total) {
  __shared__ int partial;
  if (threadIdx.x == 0) partial = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
    mine += s[i];
  atomicAdd(&partial, mine);
  __syncthreads();
  if (!threadIdx.x) atomicAdd(total, partial);
}

int main() {
  const int n = 64, sweeps = 8;
  const float beta = 0.8f;
  std::vector<spin_t> host(n * n), back(n * n);
  for (int i = 0; i < n * n; ++i) host[i] = (Rng(i + 99).next() & 1) ? 1 : -1;
  spin_t *dev;
  int *total, sum = 0;
  cudaMalloc(&dev, n * n);
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(dev, host.data(), n * n, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  dim3 block(16, 16), grid(n / 16, n / 16);
  for (int k = 0; k < sweeps; ++k) {
    update<true><<<grid, block>>>(dev, n, beta, k);
    update<false><<<grid, block>>>(dev, n, beta, k);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) update_site<true>(host.data(), n, x, y, beta, k);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) update_site<false>(host.data(), n, x, y, beta, k);
  }
  magnetisation<<<4, 128>>>(dev, n * n, total);
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemcpy(back.data(), dev, n * n, cudaMemcpyDeviceToHost);
  int want = 0;
  for (spin_t s : host) want += s;
  const bool ok = want == sum && back == host;
  printf("magnetisation %d (%d)\n%s\n", sum, want, ok ? "PASSED" : "FAILED");
  cudaFree(dev); cudaFree(total);
  return ok ? 0 : 1;
}
