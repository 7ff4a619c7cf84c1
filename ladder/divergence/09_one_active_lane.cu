// One lane of 32 works.
//
//! title: one active lane of 32
//! expect: right
//
// Idea    if (lane == 0) does the work of all 32 elements of its warp, one after the other; the
//         other lanes have nothing to do and cannot leave.
// Cost    32 * rounds steps a warp; n * rounds operations.
// Shows   3.1%, and 32 times the time of rung 01 for the same results. "Let thread 0 do it" is
//         serial code on a slow processor.
// Source  course topic: divergence.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 32 != 0) return;
  for (unsigned int k = i; k < i + 32 && k < n; ++k) {
    out[k] = chain_a(seed_of(k), rounds);
    LADDER_WORK(rounds);
    LADDER_WROTE(1);
  }
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return chain_a(seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds; // all of them in lane 0, one after the other: 32 paths
  return i % 32;
}

static void launch(unsigned int *out, unsigned int n, unsigned int rounds) {
  branch<<<divergence_blocks(n), DIVERGENCE_THREADS>>>(out, n, rounds);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 24, sizeof(unsigned int));
  divergence_run(launch, value, path);
  return ladder_end();
}
