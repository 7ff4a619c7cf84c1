// Tiles of a block in uniform control flow: sums, votes, scans, questions; and forms that are none of phases:
// tiles in branches of their own, given to functions, of a size that a template says.
// expect: pass
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;
const int TILE = 8;
static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)

__global__ void block_sum(const int *in, int *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  __shared__ int partial[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    int v = tile.thread_rank() < tile.meta_group_size() ? partial[tile.thread_rank()] : 0;
    v = cg::reduce(tile, v, cg::plus<int>());
    if (tile.thread_rank() == 0) out[blockIdx.x] = v;
  }
}

__global__ void small(int *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<TILE>(block);
  auto half = cg::tiled_partition<4>(tile);
  int v = block.thread_rank() * 3 % 7;
  int *mine = out + 12 * (blockIdx.x * blockDim.x + threadIdx.x);
  mine[0] = tile.shfl(v, 3);
  mine[1] = tile.shfl_up(v, 2);
  mine[2] = tile.shfl_xor(v, 5) + half.shfl_down(v, 1);
  mine[3] = tile.any(v == 6);
  mine[4] = tile.all(v < 6);
  mine[5] = tile.ballot(v & 1);
  mine[6] = cg::reduce(tile, v, cg::greater<int>());
  mine[7] = cg::inclusive_scan(tile, v, cg::plus<int>());
  mine[8] = cg::exclusive_scan(half, v, cg::plus<int>());
  cg::sync(tile);
  mine[9] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
  mine[10] = half.thread_rank() + 100 * half.meta_group_rank() + 10000 * half.meta_group_size();
  half.sync();
  mine[11] = half.num_threads();
}

static void check_small(const int *all, int threads) {
  for (int t = 0; t < threads; t++) {
    const int *m = all + 12 * t, first = t / 8 * 8,
              last = first + 8 < threads ? first + 8 : threads;
    const int h = t / 4 * 4;
    int v[8], most = 0, any = 0, less = 1, ballot = 0, scan = 0, before = 0;
    for (int i = first; i < last; i++) {
      v[i - first] = i * 3 % 7;
      most = v[i - first] > most ? v[i - first] : most;
      any |= v[i - first] == 6, less &= v[i - first] < 6;
      ballot |= (v[i - first] & 1) << (i - first);
      if (i <= t) scan += v[i - first];
      if (i < t && i >= h) before += v[i - first];
    }
    const int me = t - first;
    EXPECT(m[0] == v[3] && m[1] == v[me < 2 ? me : me - 2]);
    EXPECT(m[2] == v[me ^ 5] + v[t % 4 < 3 ? me + 1 : me]);
    EXPECT(m[3] == any && m[4] == less && m[5] == ballot && m[6] == most && m[7] == scan &&
           m[8] == before);
    EXPECT(m[9] == me + 100 * (t / 8) + 10000 * ((threads + 7) / 8));
    EXPECT(m[10] == t % 4 + 100 * (me / 4) + 10000 * 2 && m[11] == 4);
  }
}

__device__ int given(cg::thread_block_tile<16> tile, int v) {
  for (int i = 8; i > 0; i /= 2) v += tile.shfl_xor(v, i);
  return v;
}
template <int Size> __global__ void others(int *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  auto drawn = cg::tiled_partition<Size>(cg::this_thread_block());
  int v = threadIdx.x;
  if (tile.meta_group_rank() % 2) v = tile.shfl(v, 1) + given(tile, 1);
  v += drawn.shfl(v, 0);
  out[threadIdx.x] = v;
}

int main() {
  const int n = 5000;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 4096 * sizeof *out);
  long sum = 0;
  for (int i = 0; i < n; i++) sum += in[i] = i % 11;
  for (int threads = 32; threads <= 1024; threads += 96) {
    block_sum<<<3, threads>>>(in, out, n);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(out[0] + out[1] + out[2] == sum);
  }
  small<<<1, 96>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  check_small(out, 96);
  small<<<1, 64>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  check_small(out, 64);
  others<4><<<1, 64>>>(out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int t = 0; t < 64; t++) {
    const int first = t / 4 * 4;
    const int at = t / 16 % 2 ? t / 16 * 16 + 1 + 16 : t,
              from = t / 16 % 2 ? t / 16 * 16 + 1 + 16 : first;
    EXPECT(out[t] == at + from);
  }
  cudaFree(in);
  cudaFree(out);
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
