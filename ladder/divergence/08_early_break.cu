// A search that ends early in most lanes.
//
//! title: early break
//! expect: right
//
// Idea    each lane goes on until it meets a number divisible by 16, and counts its steps: a
//         break that depends on data.
// Cost    the longest search a warp; 16 steps an element on average, `rounds` at most.
// Shows   breaking off saves nothing until all 32 lanes have broken off. The mean is 16 steps, the
//         largest of 32 such searches some 60: about a quarter of the lanes' time is work.
// Source  course topic: divergence in loops.
#include "../common/ladder.h"
#include "divergence.h"

__host__ __device__ static inline unsigned int search(unsigned int x, unsigned int rounds) {
  unsigned int steps = 0;
  while (steps < rounds) {
    x = chain_a(x, 1);
    ++steps;
    if (x >> 28 == 0) break;
  }
  return steps;
}

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int steps = search(seed_of(i), rounds);
  out[i] = steps;
  LADDER_WORK(steps);
  LADDER_WROTE(1);
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return search(seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = search(seed_of(i), rounds);
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
