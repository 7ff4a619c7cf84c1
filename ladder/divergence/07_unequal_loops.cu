// Loops of unequal length.
//
//! title: loops of unequal length
//! expect: right
//
// Idea    lane l goes round rounds * (l + 1) / 32 times. The warp goes on until its slowest lane
//         has finished; those that finished early wait.
// Cost    rounds steps a warp; n * rounds * 33/64 operations.
// Shows   (1 + 2 + .. + 32) / (32 * 32) = 51.6%: the triangle. The time is that of the longest
//         loop, so it equals rung 01's although half of the work is gone.
// Source  course topic: divergence in loops.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int mine = rounds * (i % 32 + 1) / 32;
  out[i] = chain_a(seed_of(i), mine);
  LADDER_WORK(mine);
  LADDER_WROTE(1);
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return chain_a(seed_of(i), rounds * (i % 32 + 1) / 32);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds * (i % 32 + 1) / 32;
  return 0;
}

static void launch(unsigned int *out, unsigned int n, unsigned int rounds) {
  branch<<<divergence_blocks(n), DIVERGENCE_THREADS>>>(out, n, rounds);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 24, sizeof(unsigned int));
  divergence_run(launch, value, path);
  return ladder_end();
}
