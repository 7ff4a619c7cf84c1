// A switch of four cases, on the warp's number.
//
//! title: switch on the warp's number, 4 cases: 100%
//! expect: right
//
// Idea    four kinds of work, dealt out to whole warps.
// Cost    rounds steps a warp; n * rounds operations.
// Shows   the number of cases is free as long as each warp takes one.
// Source  course topic: divergence.
#include "../common/ladder.h"
#include "divergence.h"

__host__ __device__ static inline unsigned int four_ways(unsigned int which, unsigned int x,
                                                         unsigned int rounds) {
  switch (which) {
  case 0: return chain_a(x, rounds);
  case 1: return chain_b(x, rounds) + 1;
  case 2: return chain_a(x ^ 0x55555554u, rounds) + 2;
  default: return chain_b(x ^ 0x55555554u, rounds) + 3;
  }
}

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = four_ways(i / 32 % 4, seed_of(i), rounds);
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return four_ways(i / 32 % 4, seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds;
  return i / 32 % 4;
}

static void launch(unsigned int *out, unsigned int n, unsigned int rounds) {
  branch<<<divergence_blocks(n), DIVERGENCE_THREADS>>>(out, n, rounds);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 24, sizeof(unsigned int));
  divergence_run(launch, value, path);
  return ladder_end();
}
