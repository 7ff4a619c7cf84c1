// The measure for this family: no branch.
//
//! title: no branch
//! expect: right
//
// Idea    all lanes of all warps do the same. One instruction is fetched and decoded for 32
//         lanes; this is what "single instruction, multiple threads" saves.
// Cost    rounds steps; n * rounds operations.
// Shows   100% efficiency (a last warp that is not full apart); the time with which the others
//         compare. H200: 0.262 ms in the run that the figures of this family come from.
// Source  course topic: divergence; Lindholm, Nickolls, Oberman and Montrym, NVIDIA Tesla: a
//         unified graphics and computing architecture, IEEE Micro 28(2), 2008.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
  out[i] = chain_a(seed_of(i), rounds);
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return chain_a(seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  (void)i;
  *steps = rounds;
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
