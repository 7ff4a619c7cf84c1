// Cooperative groups: the block as an object.
//
//! title: cooperative groups: the block
//! expect: right
//
// Idea    this_thread_block() is __syncthreads, threadIdx and blockDim under one name: sync(),
//         thread_rank(), size(). A function that takes a group says in its signature who must
//         arrive.
// Cost    log2(threads) steps, threads - 1 additions a block.
// Shows   the tree sum of a block, written for "a group" and called with the block. Ranks count x
//         first, then y, then z, as threads are cut into warps.
// Source  course topic: cooperative groups; Harris and Perelygin, Cooperative groups, NVIDIA 2017.
#include "../common/ladder.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 256 };

// Who must arrive: every thread of the group. Who holds the result: rank 0. Size: a power of two.
__device__ static unsigned int sum(const cg::thread_block &group, unsigned int *scratch,
                                   unsigned int value) {
  const unsigned int rank = group.thread_rank();
  scratch[rank] = value;
  for (unsigned int half = group.size() / 2; half > 0; half /= 2) {
    group.sync(); // scratch[0 .. 2 * half) is complete
    LADDER_STEP();
    if (rank >= half) continue;
    scratch[rank] += scratch[rank + half];
    LADDER_WORK(1);
  }
  return scratch[rank];
}

__global__ void sum_blocks(const unsigned int *in, unsigned int *sums, unsigned int n) {
  __shared__ unsigned int scratch[THREADS];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned int i = blockIdx.x * block.size() + block.thread_rank();
  const unsigned int total = sum(block, scratch, i < n ? in[i] : 0);
  LADDER_READ(i < n);
  if (block.thread_rank() == 0) {
    sums[block.group_index().x] = total;
    LADDER_WROTE(1);
  }
}

int main(int argc, char **argv) {
  unsigned int *in, *sums;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 26, sizeof(unsigned int));
  const unsigned int n = (unsigned int)ladder.size, blocks = (n + THREADS - 1) / THREADS;
  unsigned int *host = (unsigned int *)ladder_host_memory(n * sizeof *host);
  unsigned int *got = (unsigned int *)ladder_host_memory(blocks * sizeof *got);
  unsigned int *want = (unsigned int *)ladder_host_memory(blocks * sizeof *want);
  memset(want, 0, blocks * sizeof *want);
  ladder_fill_u32(host, n, 1u << 20);
  for (unsigned int i = 0; i < n; ++i) want[i / THREADS] += host[i];
  CHECK(cudaMalloc((void **)&in, n * sizeof *in));
  CHECK(cudaMalloc((void **)&sums, blocks * sizeof *sums));
  CHECK(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(sums, 0xff, blocks * sizeof *sums));
    ladder_start();
    sum_blocks<<<blocks, dim3(32, THREADS / 32, 1)>>>(in, sums, n);
    CHECK(ladder_stop());
  }
  ladder_moves((double)n * sizeof *in);
  CHECK(cudaMemcpy(got, sums, blocks * sizeof *got, cudaMemcpyDeviceToHost));
  if (ladder_same_u32("sum of block", got, want, blocks))
    printf("%u blocks of %d threads, all sums right\n", blocks, THREADS);
  CHECK(cudaFree(in));
  CHECK(cudaFree(sums));
  free(host);
  free(got);
  free(want);
  return ladder_end();
}
