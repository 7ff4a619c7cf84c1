// if (i < n) splits one warp at most.
//
//! title: the bounds check splits at most one warp
//! expect: right
//
// Idea    a last block that sticks out over the end has warps that are wholly inside, wholly
//         outside, and at most one that is cut. The warps count themselves: a vote tells each
//         how many of its lanes are inside.
// Cost    1 step, one vote a warp.
// Shows   n = 1000: 31 full warps and one of 8 lanes of 32. n = 33*1024: no warp is cut. So the
//         check costs at most one warp in a grid of thousands.
// Source  course topic: the bounds check.
#include "../common/ladder.h"

enum { THREADS = 128 };

struct warps {
  unsigned int full, cut, outside, lanes_of_cut;
};

__global__ void census(struct warps *warps, unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int inside = __ballot_sync(0xffffffffu, i < n);
  LADDER_STEP();
  if (i % 32 != 0) return;
  LADDER_WORK(1);
  LADDER_ATOMIC(1);
  if (inside == 0xffffffffu) {
    atomicAdd(&warps->full, 1u);
  } else if (inside == 0) {
    atomicAdd(&warps->outside, 1u);
  } else {
    atomicAdd(&warps->cut, 1u);
    atomicAdd(&warps->lanes_of_cut, (unsigned int)__popc(inside));
  }
}

static void count(unsigned int n, struct warps *device) {
  const unsigned int blocks = (n + THREADS - 1) / THREADS;
  struct warps got;
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device, 0, sizeof *device));
    ladder_start();
    census<<<blocks, THREADS>>>(device, n);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
  const unsigned int want[] = {n / 32, n % 32 != 0, blocks * (THREADS / 32) - (n + 31) / 32,
                               n % 32};
  const unsigned int have[] = {got.full, got.cut, got.outside, got.lanes_of_cut};
  printf("n = %u: %u warps full, %u cut, %u outside", n, got.full, got.cut, got.outside);
  if (got.cut) printf("; %u of 32 lanes in the cut one", got.lanes_of_cut);
  printf("\n");
  ladder_same_u32("warps", have, want, 4);
}

int main(int argc, char **argv) {
  struct warps *device;
  ladder_begin(argc, argv, __FILE__, 127, 127, 0);
  CHECK(cudaMalloc((void **)&device, sizeof *device));
  count(1000, device);
  count(33 * 1024, device);
  count((unsigned int)ladder.size, device);
  CHECK(cudaFree(device));
  return ladder_end();
}
