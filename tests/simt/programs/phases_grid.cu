// expect: pass
// Barriers of the grid, and of groups, in uniform control flow: whole blocks wait for each other, with what
// their threads hold; in other schedules thread by thread.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

struct Pair {
  long long a;
  int b[3];
};

__device__ int block_total(int v) {
  __shared__ int s[128];
  cg::thread_block block = cg::this_thread_block();
  s[threadIdx.x] = v;
  block.sync();
  for (int o = 64; o > 0; o /= 2) {
    if (threadIdx.x < o && threadIdx.x + o < blockDim.x) s[threadIdx.x] += s[threadIdx.x + o];
    cg::sync(block);
  }
  const int total = s[0];
  cg::this_thread_block().sync();
  return total;
}

// All kinds of locals, and both kinds of shared memory, across barriers of the grid.
__global__ void locals(int *data, int n, int rounds) {
  const auto grid = cg::this_grid();
  extern __shared__ int dynamic[];
  __shared__ int fixed[128];
  const int i = (int)grid.thread_rank();
  int mine = i, list[3] = {1, i & 7, 3};
  Pair p = {i * 5ll, {i, 2, 3}};
  fixed[threadIdx.x] = i * 3;
  dynamic[threadIdx.x] = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    if (i < n) data[i] += mine & 15;
    grid.sync();
    const int other = data[(i + 77 * (r + 1)) % n];
    cg::sync(grid);
    mine += other + fixed[(threadIdx.x + 1) % blockDim.x] + dynamic[threadIdx.x ^ 1];
    list[r % 3] ^= other;
    p.a += list[0] + r;
    p.b[r % 3] += mine & 3;
    n -= r & 1;
  }
  const int total = block_total(p.b[0] & 7);
  cg::this_grid().sync();
  if (i < n) data[i] = mine ^ list[1] ^ (int)p.a ^ p.b[2] ^ total;
}

// Blocks that leave before any waits.
__global__ void once(int *data, int n) {
  cg::grid_group g = cg::this_grid();
  if (n < 3) return;
  unsigned v = threadIdx.x;
  for (unsigned k = g.thread_rank(); k < (unsigned)n; k += g.size()) data[k] = k * 2;
  g.sync();
  for (unsigned k = g.thread_rank(); k < (unsigned)n; k += g.num_threads()) v += data[n - 1 - k];
  g.sync();
  if (g.thread_rank() < (unsigned)n) data[g.thread_rank()] = v;
}

// In what is not uniform, it stays with threads.
__global__ void some(int *data, int n) {
  cg::grid_group g = cg::this_grid();
  for (int k = 0; k < (data[n] & 3); k++) {
    data[threadIdx.x + blockIdx.x * blockDim.x] += k + 1;
    g.sync();
  }
}

static std::vector<int> run(const void *kernel, int blocks, int threads, int n, void **arguments, int **data) {
  std::vector<int> host(n + 1);
  for (int i = 0; i <= n; i++) host[i] = i * 7 % 31;
  cudaMalloc(data, (n + 1) * sizeof(int));
  cudaMemcpy(*data, host.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, 128 * sizeof(int), 0);
  cudaMemcpy(host.data(), *data, (n + 1) * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(*data);
  return host;
}

static int differs(const char *what, const std::vector<int> &got, unsigned want) {
  unsigned sum = 7;
  for (int x : got) sum = sum * 1000003 ^ unsigned(x);
  if (sum != want) printf("%s: %08x, not %08x\n", what, sum, want);
  return sum != want;
}

int main() {
  int *data, n = 900, rounds = 5, few = 2, all = 1000;
  void *a[] = {&data, &n, &rounds}, *b[] = {&data, &all}, *c[] = {&data, &few}, *d[] = {&data, &all};
  int failures = differs("locals", run((void *)locals, 9, 128, 1000, a, &data), 0x034c40e3);
  failures += differs("once", run((void *)once, 33, 50, 1000, b, &data), 0x25b6b124);
  failures += differs("not once", run((void *)once, 33, 50, 1000, c, &data), 0x7559ece9);
  failures += differs("some", run((void *)some, 7, 96, 1000, d, &data), 0x49c33b2b);
  if (cudaDeviceSynchronize() != cudaSuccess) failures++;
  puts(failures ? "FAILED" : "PASSED");
  return failures;
}
