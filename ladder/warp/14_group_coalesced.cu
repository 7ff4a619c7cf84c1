// Cooperative groups: the lanes that happen to be here together.
//
//! title: cooperative groups: coalesced threads
//! expect: right
//
// Idea    inside a branch, coalesced_threads() is the group of lanes that took it together. One of
//         them reserves places for all with one atomic, and each lane takes the place of its
//         rank: a filter with one atomic a warp instead of one an element.
// Cost    1 step; one atomic a warp in which somebody found something, if the lanes are together.
// Shows   the kept elements, each once, in some order: the filter is not stable. Which lanes are
//         together is the hardware's matter; the program is right for any grouping.
// Source  course topic: cooperative groups; Adinets, CUDA Pro Tip: Optimized filtering with
//         warp-aggregated atomics, NVIDIA 2014.
#include "../common/ladder.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 256 };

// Number i is kept if its scrambled value is divisible by 3.
__host__ __device__ static inline int is_kept(unsigned int value) { return value % 3 == 0; }

__device__ static unsigned int reserve(unsigned int *counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  unsigned int first = 0;
  if (group.thread_rank() == 0) {
    first = atomicAdd(counter, group.size());
    LADDER_ATOMIC(1);
  }
  return group.shfl(first, 0) + group.thread_rank();
}

__global__ void filter(const unsigned int *in, unsigned int n, unsigned int *kept,
                       unsigned int *counter) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  LADDER_READ(1);
  LADDER_WORK(1);
  if (is_kept(in[i])) {
    kept[reserve(counter)] = i;
    LADDER_WROTE(1);
  }
}

static void compare(const unsigned int *in, unsigned int n, const unsigned int *kept,
                    unsigned int count) {
  unsigned char *seen = (unsigned char *)ladder_host_memory(n);
  unsigned int want = 0;
  memset(seen, 0, n);
  for (unsigned int i = 0; i < n; ++i) want += (unsigned int)is_kept(in[i]);
  if (count != want) ladder_wrong("%u elements kept, should be %u", count, want);
  for (unsigned int k = 0; k < count && k < n; ++k) {
    if (kept[k] >= n || seen[kept[k]] || !is_kept(in[kept[k]]))
      ladder_wrong("place %u holds element %u, which is not there, was there before or should go",
                   k, kept[k]);
    else
      seen[kept[k]] = 1;
  }
  printf("%u of %u elements kept, each once\n", count, n);
  free(seen);
}

int main(int argc, char **argv) {
  unsigned int *in, *kept, *counter, count = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 26, 2 * sizeof(unsigned int));
  const unsigned int n = (unsigned int)ladder.size;
  unsigned int *host = (unsigned int *)ladder_host_memory(n * sizeof *host);
  unsigned int *got = (unsigned int *)ladder_host_memory(n * sizeof *got);
  ladder_fill_u32(host, n, 1u << 30);
  CHECK(cudaMalloc((void **)&in, n * sizeof *in));
  CHECK(cudaMalloc((void **)&kept, n * sizeof *kept));
  CHECK(cudaMalloc((void **)&counter, sizeof *counter));
  CHECK(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(kept, 0xff, n * sizeof *kept));
    CHECK(cudaMemset(counter, 0, sizeof *counter));
    ladder_start();
    filter<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, n, kept, counter);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got, kept, n * sizeof *got, cudaMemcpyDeviceToHost));
  ladder_moves((double)n * 4 + (double)count * 4);
  compare(host, n, got, count);
  CHECK(cudaFree(in));
  CHECK(cudaFree(kept));
  CHECK(cudaFree(counter));
  free(host);
  free(got);
  return ladder_end();
}
