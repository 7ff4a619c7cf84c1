// Even lanes go one way, odd lanes the other.
//
//! title: even/odd branch: 50%
//! expect: right
//
// Idea    a warp has one instruction stream. When its lanes disagree it walks both sides, one
//         after the other, each time with half of the lanes switched off.
// Cost    2 * rounds steps a warp; n * rounds operations, as before.
// Shows   twice the time for the same work (H200: 0.515 ms against 0.262 ms): 50%.
// Source  course topic: divergence; Fung, Sham, Yuan and Aamodt, Dynamic warp formation and
//         scheduling for efficient GPU control flow, MICRO 2007.
#include "../common/ladder.h"
#include "divergence.h"

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int x = seed_of(i);
  if (i % 2 == 0)
    x = chain_a(x, rounds);
  else
    x = chain_b(x, rounds);
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
  out[i] = x;
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return i % 2 == 0 ? chain_a(seed_of(i), rounds) : chain_b(seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds;
  return i % 2 == 0 ? 0u : 1u;
}

static void launch(unsigned int *out, unsigned int n, unsigned int rounds) {
  branch<<<divergence_blocks(n), DIVERGENCE_THREADS>>>(out, n, rounds);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 24, sizeof(unsigned int));
  divergence_run(launch, value, path);
  return ladder_end();
}
