// A switch of 32 cases, on the lane.
//
//! title: switch on the lane, 32 cases: 1/32
//! expect: right
//
// Idea    every lane of a warp takes another case: the worst that a branch can do. Each case
//         is code of its own.
// Cost    32 * rounds steps a warp; n * rounds operations.
// Shows   3.1%: one lane works, 31 wait, and that 32 times. A table of 32 numbers instead of 32
//         pieces of code would have no branch at all.
// Source  course topic: divergence.
#include "../common/ladder.h"
#include "divergence.h"

// Inlined with constant shifts, it is other code in each case.
__host__ __device__ static __forceinline__ unsigned int shifts(unsigned int x, unsigned int rounds,
                                                               int a, int b, int c) {
  for (unsigned int r = 0; r < rounds; ++r) {
    x ^= x << a;
    x ^= x >> b;
    x ^= x << c;
  }
  return x;
}

__host__ __device__ static inline unsigned int by_lane(unsigned int lane, unsigned int x,
                                                       unsigned int rounds) {
  switch (lane) {
  case 0: return shifts(x, rounds, 1, 3, 10) + 0;
  case 1: return shifts(x, rounds, 1, 5, 16) + 1;
  case 2: return shifts(x, rounds, 1, 5, 19) + 2;
  case 3: return shifts(x, rounds, 1, 9, 29) + 3;
  case 4: return shifts(x, rounds, 1, 11, 6) + 4;
  case 5: return shifts(x, rounds, 1, 11, 16) + 5;
  case 6: return shifts(x, rounds, 1, 19, 3) + 6;
  case 7: return shifts(x, rounds, 1, 21, 20) + 7;
  case 8: return shifts(x, rounds, 1, 27, 27) + 8;
  case 9: return shifts(x, rounds, 2, 5, 15) + 9;
  case 10: return shifts(x, rounds, 2, 5, 21) + 10;
  case 11: return shifts(x, rounds, 2, 7, 7) + 11;
  case 12: return shifts(x, rounds, 2, 7, 9) + 12;
  case 13: return shifts(x, rounds, 2, 7, 25) + 13;
  case 14: return shifts(x, rounds, 2, 9, 15) + 14;
  case 15: return shifts(x, rounds, 2, 15, 17) + 15;
  case 16: return shifts(x, rounds, 2, 15, 25) + 16;
  case 17: return shifts(x, rounds, 2, 21, 9) + 17;
  case 18: return shifts(x, rounds, 3, 1, 14) + 18;
  case 19: return shifts(x, rounds, 3, 3, 26) + 19;
  case 20: return shifts(x, rounds, 3, 3, 28) + 20;
  case 21: return shifts(x, rounds, 3, 3, 29) + 21;
  case 22: return shifts(x, rounds, 3, 5, 20) + 22;
  case 23: return shifts(x, rounds, 3, 5, 22) + 23;
  case 24: return shifts(x, rounds, 3, 5, 25) + 24;
  case 25: return shifts(x, rounds, 3, 7, 29) + 25;
  case 26: return shifts(x, rounds, 3, 13, 7) + 26;
  case 27: return shifts(x, rounds, 3, 23, 25) + 27;
  case 28: return shifts(x, rounds, 3, 25, 24) + 28;
  case 29: return shifts(x, rounds, 3, 27, 11) + 29;
  case 30: return shifts(x, rounds, 4, 3, 17) + 30;
  case 31: return shifts(x, rounds, 4, 3, 27) + 31;
  default: return 0;
  }
}

__global__ void branch(unsigned int *out, unsigned int n, unsigned int rounds) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = by_lane(i % 32, seed_of(i), rounds);
  LADDER_WORK(rounds);
  LADDER_WROTE(1);
}

static unsigned int value(unsigned int i, unsigned int rounds) {
  return by_lane(i % 32, seed_of(i), rounds);
}

static unsigned int path(unsigned int i, unsigned int rounds, unsigned int *steps) {
  *steps = rounds;
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
