// A branch whose other side is empty.
//
//! title: an empty other side costs nothing
//! expect: right
//
// Idea    if (odd) { work } with no else. The warp takes the one side that there is; the even
//         lanes wait for it, but no second side follows.
// Cost    rounds steps a warp; n * rounds / 2 operations.
// Shows   the time of rung 01, not of rung 02: divergence costs what the sides take together, and
//         one of them takes nothing. (Half of the lanes are idle all the same: 50%.)
// Source  course topic: divergence.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int x = seed_of(i);
  if (i % 2 == 1) {
    x = chain_a(x, rounds);
    LADDER_WORK(rounds);
  }
  LADDER_WROTE(1);
  out[i] = x;
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return i % 2 == 1 ? chain_a(seed_of(i), rounds) : seed_of(i);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = i % 2 == 1 ? rounds : 0;
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
