// Warp-aggregated counters by match, ballot and cooperative groups; filter and a lock-free stack of indices.
// expect: pass
// flags: -std=c++17
#include <algorithm>
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
using namespace cooperative_groups;

__device__ int grouped_increment(int *ctr) {
  auto g = coalesced_threads();
  int base;
  if (g.thread_rank() == 0) base = atomicAdd(ctr, g.size());
  return g.shfl(base, 0) + g.thread_rank();
}

__device__ int ballot_increment(int *ctr, bool active) {
  const unsigned mask = __ballot_sync(0xffffffff, active);
  const int lane = threadIdx.x & 31, leader = __ffs(mask) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(ctr, __popc(mask));
  base = __shfl_sync(0xffffffff, base, leader < 0 ? 0 : leader);
  return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void filter_cg(int *dst, int *kept, const int *src, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  if (id < n && src[id] > 0) dst[grouped_increment(kept)] = src[id];
}

__global__ void filter_ballot(int *dst, int *kept, const int *src, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < (n + 31) / 32 * 32;
       i += blockDim.x * gridDim.x) {
    const bool keep = i < n && src[i] > 0;
    const int at = ballot_increment(kept, keep);
    if (keep) dst[at] = src[i];
  }
}

__global__ void bins_match(unsigned *bins, const int *src, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned active = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  const int b = src[i] & 7;
  const unsigned peers = __match_any_sync(active, b);
  if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&bins[b], __popc(peers));
}

int main() {
  const int n = 10000;
  std::vector<int> h(n), want, got(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919) % 1001 - 500;
  std::copy_if(h.begin(), h.end(), std::back_inserter(want), [](int v) { return v > 0; });
  std::sort(want.begin(), want.end());
  int *src, *dst, *count, c;
  unsigned *bins, hb[8], wb[8] = {};
  cudaMalloc(&src, n * 4), cudaMalloc(&dst, n * 4), cudaMalloc(&count, 4), cudaMalloc(&bins, 32);
  cudaMemcpy(src, h.data(), n * 4, cudaMemcpyHostToDevice);
  bool ok = true;
  for (int v = 0; v < 2; ++v) {
    cudaMemset(count, 0, 4);
    if (v == 0)
      filter_cg<<<(n + 127) / 128, 128>>>(dst, count, src, n);
    else
      filter_ballot<<<6, 64>>>(dst, count, src, n);
    cudaMemcpy(&c, count, 4, cudaMemcpyDeviceToHost);
    got.resize(c);
    cudaMemcpy(got.data(), dst, c * 4, cudaMemcpyDeviceToHost);
    std::sort(got.begin(), got.end());
    printf("%d of %d\n", c, n);
    ok = ok && got == want;
  }
  cudaMemset(bins, 0, 32);
  bins_match<<<(n + 95) / 96, 96>>>(bins, src, n);
  cudaMemcpy(hb, bins, 32, cudaMemcpyDeviceToHost);
  for (int v : h) wb[v & 7]++;
  ok = ok && std::equal(hb, hb + 8, wb);
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(src); cudaFree(dst); cudaFree(count); cudaFree(bins);
  return ok ? 0 : 1;
}
