// Cooperative groups: ranks, sizes, barriers, partitions and the functions of tiles.
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;

static int failures;

static void expect(long long got, long long want, const char *what, int i) {
  if (got == want || ++failures > 10) return;
  std::printf("wrong: %s [%d] is %lld, not %lld\n", what, i, got, want);
}

enum { FIELDS = 24 };

// A sum over any group, through memory, as the guide's first example has it.
__device__ int sum_through_memory(cg::thread_group g, int *memory, int value) {
  const int rank = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    memory[rank] = value;
    g.sync();
    if (rank < i) value += memory[rank + i];
    g.sync();
  }
  return value;
}

template <unsigned Size> __device__ int sum_of_tile(cg::thread_block_tile<Size> tile, int value) {
  for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
  return tile.shfl(value, 0);
}

__global__ void groups(int *out) {
  __shared__ int memory[128];
  cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();
  int *mine = out + t * FIELDS;
  mine[0] = block.size();
  mine[1] = block.thread_index().x + 1000 * block.thread_index().y;
  mine[2] = block.group_index().x + 10 * block.dim_threads().y;
  const int sum = sum_through_memory(block, memory, t);
  mine[3] = t ? 0 : sum;
  block.sync();

  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  mine[4] = warp.thread_rank() + 100 * warp.meta_group_rank() + 1000 * warp.meta_group_size();
  mine[5] = sum_of_tile(warp, t);
  auto quad = cg::tiled_partition<4>(warp);
  mine[6] = quad.thread_rank() + 100 * quad.meta_group_rank() + 1000 * quad.meta_group_size();
  mine[7] = sum_of_tile<4>(quad, t);
  mine[8] = quad.shfl_xor(t, 1) + 1000 * quad.shfl_up(t, 1);
  mine[9] = quad.ballot(t % 2) + 100 * quad.any(t == 5) + 1000 * quad.all(t > 3);
  mine[10] = warp.match_any(t / 8);
  int same;
  mine[11] = quad.match_all(t / 4, same);
  mine[11] += 100 * same;

  cg::thread_group dynamic = cg::tiled_partition(block, 16);
  mine[12] = dynamic.thread_rank() + 100 * dynamic.size();
  const int ones = sum_through_memory(dynamic, memory + t / 16 * 16, 1);
  mine[13] = dynamic.thread_rank() ? 0 : ones;
  cg::thread_group part = cg::tiled_partition(dynamic, 8);
  mine[14] = part.thread_rank() + 100 * part.size();

  mine[15] = mine[16] = mine[17] = mine[18] = 0;
  if (t % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    mine[15] = active.thread_rank() + 100 * active.size();
    mine[16] = active.shfl(t, 2) + 1000 * active.shfl_up(t, 1);
    mine[17] = active.shfl_down(t, 1);
    mine[18] = active.ballot(t % 2) + 100000 * active.any(t == 33);
  }
  warp.sync();
  cg::coalesced_group odd = cg::binary_partition(warp, t % 4 == 1);
  mine[19] = odd.size() + 100 * odd.thread_rank();
  cg::coalesced_group label = cg::labeled_partition(warp, t % 5);
  mine[20] = label.size() + 100 * label.thread_rank();
  cg::thread_block_tile<1> alone = cg::this_thread();
  mine[21] = alone.size() + alone.thread_rank();
  cg::sync(block);
  mine[22] = cg::this_grid().thread_rank() + 1000 * cg::this_grid().size();
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  mine[23] = 7;
}

static void check_groups() {
  int *out;
  cudaMallocManaged(&out, 128 * FIELDS * sizeof(int));
  groups<<<1, dim3(64, 2)>>>(out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status", 0);
  for (int t = 0; t < 128; ++t) {
    const int *mine = out + t * FIELDS, warp = t / 32, lane = t % 32, quad = t / 4;
    int want[FIELDS];
    want[0] = 128;
    want[1] = t % 64 + 1000 * (t / 64);
    want[2] = 20;
    want[3] = t ? 0 : 128 * 127 / 2; // rank 0 has the total
    want[4] = lane + 100 * warp + 4000;
    want[5] = 32 * 32 * warp + 496;
    want[6] = t % 4 + 100 * (quad % 8) + 8000;
    want[7] = 16 * quad + 6;
    want[8] = (t ^ 1) + 1000 * (t % 4 ? t - 1 : t);
    want[9] = 10 + 100 * (quad == 1) + 1000 * (t > 3);
    want[10] = int(0xffu << lane / 8 * 8);
    want[11] = 115;
    want[12] = t % 16 + 1600;
    want[13] = t % 16 ? 0 : 16;
    want[14] = t % 8 + 800;
    want[15] = want[16] = want[17] = want[18] = 0;
    if (t % 3 == 0) {
      const int first = (warp * 32 + 2) / 3 * 3, size = (warp * 32 + 31) / 3 - (first / 3) + 1;
      const int rank = (t - first) / 3;
      unsigned ballot = 0;
      for (int i = 0; i < size; ++i) ballot |= unsigned((first + 3 * i) % 2) << i;
      want[15] = rank + 100 * size;
      want[16] = first + 6 + 1000 * (rank ? t - 3 : t);
      want[17] = rank + 1 < size ? t + 3 : t;
      want[18] = int(ballot) + 100000 * (warp == 1);
    }
    want[19] = t % 4 == 1 ? 8 + 100 * (lane / 4) : 24 + 100 * (lane - (lane + 2) / 4);
    int size = 0, rank = 0;
    for (int i = warp * 32; i < warp * 32 + 32; ++i) {
      size += i % 5 == t % 5;
      rank += i % 5 == t % 5 && i < t;
    }
    want[20] = size + 100 * rank;
    want[21] = 1;
    want[22] = t + 128000;
    want[23] = 7;
    for (int f = 0; f < FIELDS; ++f) expect(mine[f], want[f], "field", t * 100 + f);
  }
  cudaFree(out);
}

// Each block waits for all: a value goes round the grid.
__global__ void round_trip(int *a, int *b, int steps) {
  cg::grid_group grid = cg::this_grid();
  const int n = grid.size(), i = grid.thread_rank();
  for (int s = 0; s < steps; ++s) {
    b[i] = a[(i + 1) % n];
    grid.sync();
    a[i] = b[i];
    grid.sync();
  }
}

static void check_grid() {
  int *m;
  int steps = 5, n = 6 * 40;
  cudaMallocManaged(&m, 2 * n * sizeof(int));
  for (int i = 0; i < n; ++i) m[i] = i;
  int *a = m, *b = m + n;
  void *arguments[] = {&a, &b, &steps};
  expect(cudaLaunchCooperativeKernel((void *)round_trip, dim3(6), dim3(40), arguments, 0, 0),
         cudaSuccess, "launch", 0);
  expect(cudaDeviceSynchronize(), cudaSuccess, "grid", 0);
  for (int i = 0; i < n; ++i) expect(m[i], (i + steps) % n, "round", i);
  cudaFree(m);
}

// One add for all lanes that are there.
__device__ int aggregated_add(int *counter) {
  cg::coalesced_group g = cg::coalesced_threads();
  int before = 0;
  if (g.thread_rank() == 0) before = atomicAdd(counter, (int)g.size());
  return g.shfl(before, 0) + g.thread_rank();
}

__global__ void keep_odd(const int *in, int n, int *out, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2) out[aggregated_add(count)] = in[i];
}

static void check_aggregation() {
  const int n = 1000;
  int *m;
  cudaMallocManaged(&m, (2 * n + 1) * sizeof(int));
  for (int i = 0; i < n; ++i) m[i] = i * 7 % 1000;
  m[2 * n] = 0;
  keep_odd<<<8, 128>>>(m, n, m + n, m + 2 * n);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status", 1);
  expect(m[2 * n], 500, "kept", 0);
  long long sum = 0;
  for (int i = 0; i < 500; ++i) sum += m[n + i];
  expect(sum, 250000, "sum kept", 0);
  cudaFree(m);
}

// A value of several words travels whole.
struct triple {
  double x;
  int y[3];
};

__global__ void shuffle_triples(triple *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int t = threadIdx.x;
  const triple mine = {t * 0.5, {t, 2 * t, 3 * t}};
  out[t] = tile.shfl_down(mine, 3);
}

static void check_triples() {
  triple *out;
  cudaMallocManaged(&out, 32 * sizeof(triple));
  shuffle_triples<<<1, 32>>>(out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "triples", -1);
  for (int t = 0; t < 32; ++t) {
    const int from = t % 8 + 3 < 8 ? t + 3 : t;
    expect(out[t].x == from * 0.5, 1, "triple.x", t);
    for (int i = 0; i < 3; ++i) expect(out[t].y[i], (i + 1) * from, "triple.y", t);
  }
  cudaFree(out);
}

int main() {
  check_groups();
  check_triples();
  check_grid();
  check_aggregation();
  if (failures) return 1;
  std::printf("PASSED\n");
  return 0;
}
