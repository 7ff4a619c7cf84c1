// Single-pass scan with decoupled look-back: blocks take tickets and spin on their neighbours' flags.
// expect: pass
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int THREADS = 64, ITEMS = 4, TILE = THREADS * ITEMS;

enum : uint32_t { EMPTY = 0, PARTIAL = 1, PREFIX = 2 };

struct alignas(8) Status {
  uint32_t flag;
  int value;
};

__device__ unsigned ticket;

__device__ void publish(volatile unsigned long long *slot, uint32_t flag, int value) {
  *slot = (static_cast<unsigned long long>(static_cast<uint32_t>(value)) << 32) | flag;
}

__device__ Status poll(volatile unsigned long long *slot) {
  unsigned long long v;
  do {
    v = *slot;
  } while ((v & 0xffffffffu) == EMPTY);
  return Status{static_cast<uint32_t>(v), static_cast<int>(v >> 32)};
}

__global__ void lookback(const int *in, int *out, int n, unsigned long long *slots) {
  __shared__ unsigned tile;
  __shared__ int before;
  __shared__ int warp_sums[THREADS / 32];
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1u);
  __syncthreads();
  int v[ITEMS], sum = 0;
  const int base = tile * TILE + threadIdx.x * ITEMS;
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    v[i] = base + i < n ? in[base + i] : 0;
    sum += v[i];
  }
  int inclusive = sum;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int d = 1; d < 32; d <<= 1) {
    int t = __shfl_up_sync(~0u, inclusive, d);
    if (lane >= d) inclusive += t;
  }
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  int offset = 0, total = 0;
  for (int w = 0; w < THREADS / 32; ++w) {
    if (w < warp) offset += warp_sums[w];
    total += warp_sums[w];
  }
  if (threadIdx.x == 0) {
    int prefix = 0;
    if (tile > 0) {
      publish(&slots[tile], PARTIAL, total);
      __threadfence();
      for (int look = int(tile) - 1; look >= 0; --look) {
        const Status s = poll(&slots[look]);
        prefix += s.value;
        if (s.flag == PREFIX) break;
      }
    }
    publish(&slots[tile], PREFIX, prefix + total);
    __threadfence();
    before = prefix;
  }
  __syncthreads();
  int run = before + offset + inclusive - sum;
  for (int i = 0; i < ITEMS; ++i) {
    run += v[i];
    if (base + i < n) out[base + i] = run;
  }
}

int main() {
  const int n = 50000, tiles = (n + TILE - 1) / TILE;
  std::vector<int> h(n), o(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7) % 11 - 5;
  int *in, *out;
  unsigned long long *slots;
  cudaMalloc(&in, n * sizeof(int)), cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&slots, tiles * sizeof(*slots));
  cudaMemset(slots, 0, tiles * sizeof(*slots));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  lookback<<<tiles, THREADS>>>(in, out, n, slots);
  cudaMemcpy(o.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int run = 0, bad = 0;
  for (int i = 0; i < n; ++i) {
    run += h[i];
    bad += run != o[i];
  }
  printf("%d tiles, %d wrong: %s\n", tiles, bad, bad ? "FAILED" : "PASSED");
  cudaFree(in); cudaFree(out); cudaFree(slots);
  return bad != 0;
}
