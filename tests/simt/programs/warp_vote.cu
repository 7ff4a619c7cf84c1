// Votes, matches, reductions of a warp and the barriers that count, against host values.
#include <cstdio>

static int failures;

static void expect(long long got, long long want, const char *what, int i) {
  if (got == want || ++failures > 10) return;
  std::printf("wrong: %s [%d] is %lld, not %lld\n", what, i, got, want);
}

struct result {
  unsigned ballot, part, any, none, all, some, match, match_all, match_all_not;
  int flag, flag_not;
  int add, min, max;
  unsigned sum, least, most, bits_and, bits_or, bits_xor;
  unsigned active;
};

__global__ void votes(result *out) {
  const int t = threadIdx.x, lane = t % 32;
  result r;
  r.ballot = __ballot_sync(0xffffffff, lane % 3 == 0);
  r.any = __any_sync(0xffffffff, lane == 31);
  r.none = __any_sync(0xffffffff, 0);
  r.all = __all_sync(0xffffffff, lane >= 0);
  r.some = __all_sync(0xffffffff, lane);
  r.part = 0;
  if (lane) r.part = __all_sync(0xfffffffe, lane);
  r.match = __match_any_sync(0xffffffff, lane / 5);
  r.match_all = __match_all_sync(0xffffffff, 7.5, &r.flag);
  r.match_all_not = __match_all_sync(0xffffffff, lane == 3 ? 1ull : 2ull, &r.flag_not);
  r.add = __reduce_add_sync(0xffffffff, lane - 20);
  r.min = __reduce_min_sync(0xffffffff, lane - 20);
  r.max = __reduce_max_sync(0xffffffff, 20 - lane);
  r.sum = __reduce_add_sync(0xffffffff, 0x10000000u + lane);
  r.least = __reduce_min_sync(0xffffffff, 0u - lane - 1);
  r.most = __reduce_max_sync(0xffffffff, 0u - lane);
  r.bits_and = __reduce_and_sync(0xffffffff, ~(1u << lane % 7));
  r.bits_or = __reduce_or_sync(0xffffffff, 1u << lane % 7);
  r.bits_xor = __reduce_xor_sync(0xffffffff, 1u << lane % 7);
  r.active = __activemask();
  __syncwarp();
  out[t] = r;
}

static void check_votes() {
  result *out;
  cudaMallocManaged(&out, 64 * sizeof(result));
  votes<<<1, 64>>>(out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "votes", 0);
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32;
    const result &r = out[t];
    unsigned match = 0;
    for (int i = 0; i < 32; ++i)
      if (i / 5 == lane / 5) match |= 1u << i;
    expect(r.ballot, 0x49249249u, "ballot", t);
    expect(r.any, 1, "any", t);
    expect(r.none, 0, "none", t);
    expect(r.all, 1, "all", t);
    expect(r.some, 0, "some", t);
    expect(r.part, lane != 0, "part", t);
    expect(r.match, match, "match", t);
    expect(r.match_all, 0xffffffffu, "match_all", t);
    expect(r.flag, 1, "flag", t);
    expect(r.match_all_not, 0, "match_all_not", t);
    expect(r.flag_not, 0, "flag_not", t);
    expect(r.add, 31 * 16 - 640, "add", t);
    expect(r.min, -20, "min", t);
    expect(r.max, 20, "max", t);
    expect(r.sum, 496, "sum", t);
    expect(r.least, 0xffffffe0u, "least", t);
    expect(r.most, 0xffffffffu, "most", t);
    expect(r.bits_and, 0xffffff80u, "and", t);
    expect(r.bits_or, 0x7f, "or", t);
    expect(r.bits_xor, 0x0f, "xor", t); // 0 to 3 come five times, 4 to 6 four times
    expect(r.active, 0xffffffffu, "active", t);
  }
  cudaFree(out);
}

__global__ void barriers(int *out, int n) {
  __shared__ int turned[256];
  const int t = threadIdx.x;
  turned[n - 1 - t] = t;
  __syncthreads();
  out[t] = turned[t];
  out[n + t] = __syncthreads_count(t % 3 == 0);
  out[2 * n + t] = __syncthreads_and(t >= 0) * 10 + __syncthreads_and(t != 7);
  out[3 * n + t] = __syncthreads_or(t == 7) * 10 + __syncthreads_or(t < 0);
}

static void check_barriers(int n) {
  int *out;
  cudaMallocManaged(&out, 4 * n * sizeof(int));
  barriers<<<1, n>>>(out, n);
  expect(cudaDeviceSynchronize(), cudaSuccess, "barriers", n);
  for (int t = 0; t < n; ++t) {
    expect(out[t], n - 1 - t, "turned", t);
    expect(out[n + t], (n + 2) / 3, "count", t);
    expect(out[2 * n + t], n > 7 ? 10 : 11, "and", t);
    expect(out[3 * n + t], n > 7 ? 10 : 0, "or", t);
  }
  cudaFree(out);
}

// The demonstration's votes in a block of 16: a full mask may name lanes that do not exist.
__global__ void half_warp(unsigned *out) {
  const unsigned t = threadIdx.x;
  const unsigned mask1 = __ballot_sync(0xffffffff, t > 0),
                 mask2 = __ballot_sync(0xffffffff, t == 0);
  out[t] = mask1;
  out[16 + t] = mask2;
  out[32 + t] = __all_sync(0xffffffff, t);
  out[48 + t] = t ? __all_sync(mask1, t) : 1;
  out[64 + t] = __any_sync(0xffffffff, t);
  out[80 + t] = t ? 0 : __any_sync(mask2, t);
}

static void check_half_warp() {
  static const unsigned want[6] = {0xfffe, 1, 0, 1, 1, 0};
  unsigned *out;
  cudaMallocManaged(&out, 96 * sizeof(unsigned));
  half_warp<<<1, 16>>>(out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "half warp", 0);
  for (int i = 0; i < 96; ++i) expect(out[i], want[i / 16], "half warp", i);
  cudaFree(out);
}

int main() {
  check_votes();
  check_half_warp();
  check_barriers(1);
  check_barriers(7);
  check_barriers(64);
  check_barriers(97);
  check_barriers(256);
  if (failures) return 1;
  std::printf("PASSED\n");
  return 0;
}
