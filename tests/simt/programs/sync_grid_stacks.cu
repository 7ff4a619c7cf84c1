// What threads keep on their stacks while other blocks run: arrays, pointers into them, differing
// depths of calls, threads that have returned, blocks that poll; many blocks, then few again.
// expect: pass
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

__device__ int deep(cg::grid_group &grid, int *counts, int depth, int me) {
  int here[4] = {me, depth, me ^ depth, 1};
  int *p = &here[me & 3];
  if (depth) return deep(grid, counts, depth - 1, me) + *p;
  grid.sync();
  return *p + counts[0];
}

__global__ void keep(int *counts, int *out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const int me = grid.thread_rank(), threads = blockDim.x;
  int kept[24];
  int *at = kept;
  for (int i = 0; i < 24; ++i) kept[i] = me * 31 + i;
  if (threadIdx.x % 7 == 6) {  // never thread 0, by which a block comes to the barrier
    out[me] = -me;
    return;
  }
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) atomicAdd(&counts[r + 1], 1);
    grid.sync();
    sum += counts[r + 1] + *at++;
    __syncthreads();
  }
  sum += deep(grid, counts, blockIdx.x % 5, me);
  if (threadIdx.x == 0) {  // as in chains of flags: the block before says when
    if (blockIdx.x) while (atomicAdd(&counts[31], 0) < (int)blockIdx.x) {
    }
    atomicAdd(&counts[31], 1);
  }
  __syncthreads();
  out[me] = sum + kept[23] + threads;
}

static int expected(int me, int thread, int blocks, int threads, int rounds) {
  if (thread % 7 == 6) return -me;
  int sum = 0;
  for (int r = 0; r < rounds; ++r) sum += blocks + me * 31 + r;
  for (int depth = 0; depth <= me / threads % 5; ++depth) {
    const int here[4] = {me, depth, me ^ depth, 1};
    sum += here[me & 3];
  }
  return sum + 1000 + me * 31 + 23 + threads;
}

static int wrong(int blocks, int threads, int rounds) {
  const int n = blocks * threads;
  int first[32] = {1000}, bad = 0, *counts, *out;
  int *h = (int *)malloc(n * sizeof(int));
  cudaMalloc(&counts, sizeof first), cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(counts, first, sizeof first, cudaMemcpyHostToDevice);
  void *args[] = {&counts, &out, &rounds};
  cudaError_t e =
      cudaLaunchCooperativeKernel((void *)keep, dim3(blocks), dim3(threads), args, 0, 0);
  if (e != cudaSuccess) printf("launch: %s\n", cudaGetErrorString(e));
  e = cudaMemcpy(h, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) printf("copy: %s\n", cudaGetErrorString(e));
  for (int i = 0; i < n; ++i) bad += h[i] != expected(i, i % threads, blocks, threads, rounds);
  printf("%d blocks of %d: %d wrong\n", blocks, threads, bad);
  cudaFree(counts), cudaFree(out);
  free(h);
  return bad;
}

int main() {
  int bad = wrong(9, 70, 5) + wrong(1, 40, 3) + wrong(40, 33, 8) + wrong(2, 256, 2);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
