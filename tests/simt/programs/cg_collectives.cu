// Cooperative groups: reduce, scan, asynchronous copies, invoke_one and tiles of several warps.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

static int failures;

static void expect(double got, double want, const char *what, int i) {
  if (got == want || ++failures > 10) return;
  std::printf("wrong: %s [%d] is %.17g, not %.17g\n", what, i, got, want);
}

enum { FIELDS = 16, THREADS = 256 };

template <unsigned Size> __global__ void collectives(const int *in, double *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  const int t = block.thread_rank(), v = in[t];
  double *mine = out + t * FIELDS;
  mine[0] = cg::reduce(tile, v, cg::plus<int>());
  mine[1] = cg::reduce(tile, v, cg::less<int>());
  mine[2] = cg::reduce(tile, v, cg::greater<int>());
  mine[3] = cg::reduce(tile, unsigned(v), cg::bit_xor<unsigned>());
  mine[4] = cg::reduce(tile, 0.5 * v, cg::plus<double>());
  mine[5] = cg::reduce(tile, (long long)v << 33, cg::greater<long long>());
  mine[6] = cg::reduce(tile, float(v), [](float a, float b) { return a > b ? a : b; });
}

__global__ void scans(const int *in, double *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x, v = in[t];
  double *mine = out + t * FIELDS;
  mine[7] = cg::inclusive_scan(tile, v);
  mine[8] = cg::exclusive_scan(tile, v);
  mine[9] = cg::inclusive_scan(tile, v, cg::greater<int>());
  mine[10] = mine[11] = 0;
  if (t % 2) {
    auto odd = cg::coalesced_threads();
    mine[10] = cg::exclusive_scan(odd, v, cg::plus<int>());
    mine[11] = cg::reduce(odd, v, cg::plus<int>());
  }
}

// Tiles of several warps, some of which wait more often than others.
__global__ void wide(const int *in, double *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  __shared__ int turned[THREADS];
  const int t = threadIdx.x;
  for (unsigned turn = 0; turn <= tile.meta_group_rank(); ++turn) {
    turned[tile.meta_group_rank() * 64 + 63 - tile.thread_rank()] = t + int(turn);
    tile.sync();
    out[t * FIELDS + 12] = turned[t];
    tile.sync();
  }
  out[t * FIELDS + 13] = tile.shfl(in[t], 40) + 1000 * tile.any(t == 70) + 2000 * tile.all(t > 63);
  out[t * FIELDS + 14] = tile.meta_group_size() * 10 + tile.meta_group_rank();
}

__global__ void copies(const int *in, double *out) {
  __shared__ __align__(16) int tile[2][64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  long long sum = 0;
  for (int k = 0; k < 4; ++k) {
    if (k < 3) cg::memcpy_async(block, tile[(k + 1) % 2], in + 64 * (k + 1), sizeof tile[0]);
    if (k < 3)
      cg::wait_prior<1>(block);
    else
      cg::wait(block);
    sum += tile[k % 2][(threadIdx.x + 1) % 64];
    block.sync();
  }
  out[threadIdx.x * FIELDS + 15] = sum;
}

__global__ void once(int *count, int *got) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(warp, [&] { atomicAdd(count, 1); });
  got[threadIdx.x] = cg::invoke_one_broadcast(warp, [&] { return int(threadIdx.x) + 5; });
}

static void check_tiles(const int *in, const double *out, unsigned size) {
  for (int t = 0; t < THREADS; ++t) {
    const int first = t / size * size;
    long long sum = 0;
    int least = in[first], most = in[first];
    unsigned bits = 0;
    for (int i = first; i < first + int(size); ++i) {
      sum += in[i];
      least = in[i] < least ? in[i] : least;
      most = in[i] > most ? in[i] : most;
      bits ^= unsigned(in[i]);
    }
    const double *mine = out + t * FIELDS;
    expect(mine[0], sum, "plus", t);
    expect(mine[1], least, "less", t);
    expect(mine[2], most, "greater", t);
    expect(mine[3], bits, "bit_xor", t);
    expect(mine[4], 0.5 * sum, "double", t);
    expect(mine[5], 8589934592.0 * most, "64 bits", t);
    expect(mine[6], most, "lambda", t);
  }
}

int main() {
  int *in;
  double *out;
  cudaMallocManaged(&in, (2 * THREADS + 1) * sizeof(int));
  cudaMallocManaged(&out, THREADS * FIELDS * sizeof(double));
  for (int t = 0; t < THREADS; ++t) in[t] = t * 7919 % 257 + 1;
  for (int t = THREADS; t <= 2 * THREADS; ++t) in[t] = 0;

  collectives<32><<<1, THREADS>>>(in, out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status", 0);
  check_tiles(in, out, 32);
  collectives<8><<<1, THREADS>>>(in, out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status", 1);
  check_tiles(in, out, 8);
  collectives<128><<<1, THREADS>>>(in, out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status", 2);
  check_tiles(in, out, 128);

  scans<<<1, THREADS>>>(in, out);
  wide<<<1, THREADS>>>(in, out);
  copies<<<1, 64>>>(in, out);
  once<<<1, THREADS>>>(in + 2 * THREADS, in + THREADS);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status", 3);
  for (int t = 0; t < THREADS; ++t) {
    const double *mine = out + t * FIELDS;
    int sum = 0, most = 0, odd = 0, all_odd = 0;
    for (int i = t / 16 * 16; i <= t; ++i) {
      sum += in[i];
      most = in[i] > most ? in[i] : most;
    }
    for (int i = t / 32 * 32 + 1; i < t / 32 * 32 + 32; i += 2) {
      if (i < t) odd += in[i];
      all_odd += in[i];
    }
    expect(mine[7], sum, "inclusive", t);
    expect(mine[8], sum - in[t], "exclusive", t);
    expect(mine[9], most, "greatest so far", t);
    expect(mine[10], t % 2 ? odd : 0, "exclusive of odd", t);
    expect(mine[11], t % 2 ? all_odd : 0, "sum of odd", t);
    expect(mine[12], t / 64 * 64 + 63 - t % 64 + t / 64, "wide sync", t);
    expect(mine[13], in[t / 64 * 64 + 40] + 1000 * (t / 64 == 1) + 2000 * (t > 63), "wide", t);
    expect(mine[14], 40 + t / 64, "wide rank", t);
    expect(in[THREADS + t], t / 32 * 32 + 5, "invoke_one_broadcast", t);
    if (t >= 64) continue;
    int column = 0;
    for (int k = 0; k < 4; ++k) column += in[64 * k + (t + 1) % 64];
    expect(mine[15], column, "copies", t);
  }
  expect(in[2 * THREADS], THREADS / 32, "invoke_one", 0);
  if (failures) return 1;
  std::printf("PASSED\n");
  cudaFree(in); cudaFree(out);
  return 0;
}
