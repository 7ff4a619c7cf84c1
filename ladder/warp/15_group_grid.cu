// Cooperative groups: all blocks of the grid wait for each other.
//
//! title: cooperative groups: grid sync
//! expect: right
//
// Idea    a barrier for the grid is possible only if all blocks are resident: a block that waits
//         keeps its place, and one without a place could never come. cudaLaunchCooperativeKernel
//         refuses grids that do not fit; this_grid().sync() is then allowed.
// Cost    rounds grid barriers; each round a neighbour sum of n elements, 2 additions each.
// Shows   many rounds in one launch, each of which needs all of the round before: out[i] =
//         in[i-1] + in[i] + in[i+1], round about the ring. One block too many is an error.
// Source  course topic: cooperative groups; Xiao and Feng, Inter-block GPU communication via fast
//         barrier synchronization, IPDPS 2010.
#include "../common/ladder.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 128, ROUNDS = 7 };

__global__ void blur(unsigned int *from, unsigned int *to, unsigned int n) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned int first = (unsigned int)grid.thread_rank(), step = (unsigned int)grid.size();
  for (int round = 0; round < ROUNDS; ++round) {
    for (unsigned int i = first; i < n; i += step) {
      to[i] = from[i ? i - 1 : n - 1] + from[i] + from[i + 1 < n ? i + 1 : 0];
      LADDER_READ(3);
      LADDER_WORK(2);
      LADDER_WROTE(1);
    }
    grid.sync(); // the round is complete, for all blocks
    LADDER_STEP();
    unsigned int *const other = from;
    from = to;
    to = other;
  }
}

static void serial(unsigned int *from, unsigned int *to, unsigned int n) {
  for (int round = 0; round < ROUNDS; ++round) {
    for (unsigned int i = 0; i < n; ++i)
      to[i] = from[i ? i - 1 : n - 1] + from[i] + from[i + 1 < n ? i + 1 : 0];
    unsigned int *const other = from;
    from = to;
    to = other;
  }
}

static cudaError_t launch(unsigned int blocks, unsigned int *a, unsigned int *b, unsigned int n) {
  void *arguments[] = {&a, &b, &n};
  return cudaLaunchCooperativeKernel((const void *)blur, dim3(blocks, 1, 1), dim3(THREADS, 1, 1),
                                     arguments, 0, 0);
}

int main(int argc, char **argv) {
  unsigned int *a, *b;
  int resident = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 22, 2 * sizeof(unsigned int));
  const unsigned int n = (unsigned int)ladder.size;
  const size_t bytes = n * sizeof *a;
  unsigned int *host = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *want = (unsigned int *)ladder_host_memory(bytes);
  unsigned int *got = (unsigned int *)ladder_host_memory(bytes);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, blur, THREADS, 0));
  const unsigned int room = (unsigned int)(resident * ladder.processors);
  const unsigned int blocks = ladder.on_simt ? 8 : (unsigned int)ladder.processors;
  CHECK(cudaMalloc((void **)&a, bytes));
  CHECK(cudaMalloc((void **)&b, bytes));
  for (int run = 0; run < ladder.runs; ++run) {
    for (unsigned int i = 0; i < n; ++i) host[i] = (unsigned int)ladder_random(1, i);
    CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
    ladder_start();
    CHECK(launch(blocks, a, b, n));
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, ROUNDS % 2 ? b : a, bytes, cudaMemcpyDeviceToHost));
  serial(host, want, n);
  if (ladder_same_u32("out", got, ROUNDS % 2 ? want : host, n))
    printf("%d rounds over %u elements in one launch of %u blocks\n", ROUNDS, n, blocks);
  const cudaError_t error = launch(room + 1, a, b, n);
  printf("one block more than there is room for: %s\n", cudaGetErrorString(error));
  ladder_true(error == cudaErrorCooperativeLaunchTooLarge, "a grid that does not fit was launched");
  (void)cudaGetLastError();
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  free(host);
  free(want);
  free(got);
  return ladder_end();
}
