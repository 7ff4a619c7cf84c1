// The lower half of each warp goes one way, the upper half the other.
//
//! title: half-warp branch: 50%, not 100%
//! expect: right
//
// Idea    thread % 32 < 16 splits every warp in its middle.
// Cost    2 * rounds steps a warp; n * rounds operations.
// Shows   an old text claims 100% for this branch. It is 50%: measured 0.515 ms on an H200
//         against 0.262 ms without a branch. Devices of the first generations issued memory
//         accesses by half-warps, but instructions have always been issued for whole warps;
//         where in the warp the lanes disagree does not matter.
// Source  course topic: divergence.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int x = seed_of(i);
  if (i % 32 < 16)
    x = chain_a(x, rounds);
  else
    x = chain_b(x, rounds);
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
  out[i] = x;
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return i % 32 < 16 ? chain_a(seed_of(i), rounds) : chain_b(seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds;
  return i % 32 < 16 ? 0u : 1u;
}

static void launch(unsigned int *out, unsigned int n, unsigned int rounds) {
  branch<<<divergence_blocks(n), DIVERGENCE_THREADS>>>(out, n, rounds);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 24, sizeof(unsigned int));
  divergence_run(launch, value, path);
  return ladder_end();
}
