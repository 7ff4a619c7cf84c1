// Vector addition, one block an element.
//
//! title: <<<N, 1>>>
//! expect: right
//
// Idea    blockIdx.x alone is the element's number. A block of one thread still takes a whole
//         warp: 31 of 32 lanes are idle, and no two elements share a memory transaction.
// Cost    1 step, n additions; n blocks, n warps.
// Shows   right and slow: the blocks are handed out one by one, each for a single addition.
// Source  course topic: vector addition, blocks alone.
#include "../common/ladder.h"
#include "vector_add.h"

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b) {
  const unsigned int i = blockIdx.x;
  LADDER_STEP();
  LADDER_READ(2);
  sum[i] = a[i] + b[i];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void launch(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                   unsigned int n) {
  add<<<n, 1>>>(sum, a, b);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, COURSE_LENGTH, 1 << 26, 3 * sizeof(unsigned int));
  add_run(launch);
  return ladder_end();
}
