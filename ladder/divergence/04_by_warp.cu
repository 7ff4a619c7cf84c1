// Whole warps go one way or the other.
//
//! title: branch on the warp's number: 100%
//! expect: right
//
// Idea    (i / 32) % 2 is the same for all lanes of a warp: no warp disagrees with itself.
// Cost    rounds steps a warp; n * rounds operations.
// Shows   full speed (H200: 0.262 ms), although half of the threads take each side, as in the
//         two rungs before. Divergence is a matter of warps, not of threads.
// Source  course topic: divergence; the cure is to sort the work so that warps agree.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int x = seed_of(i);
  if (i / 32 % 2 == 0)
    x = chain_a(x, rounds);
  else
    x = chain_b(x, rounds);
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
  out[i] = x;
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return i / 32 % 2 == 0 ? chain_a(seed_of(i), rounds) : chain_b(seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds;
  return i / 32 % 2 == 0 ? 0u : 1u;
}

static void launch(unsigned int *out, unsigned int n, unsigned int rounds) {
  branch<<<divergence_blocks(n), DIVERGENCE_THREADS>>>(out, n, rounds);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 24, sizeof(unsigned int));
  divergence_run(launch, value, path);
  return ladder_end();
}
