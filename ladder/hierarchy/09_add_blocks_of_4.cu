// Vector addition, four threads a block.
//
//! title: <<<N/4, 4>>>
//! expect: right
//
// Idea    i = blockIdx.x * blockDim.x + threadIdx.x: from now on an element's number has two
//         parts. N/4 must come out even, so the length is cut to a multiple of 4: the next
//         rungs show what has to be done for any length.
// Cost    1 step, n additions; n/4 blocks and as many warps, with 28 of 32 lanes idle.
// Shows   a quarter of the blocks of <<<N, 1>>>: time still follows the number of blocks.
// Source  course topic: vector addition, blocks and threads.
#include "../common/ladder.h"
#include "vector_add.h"

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  LADDER_READ(2);
  sum[i] = a[i] + b[i];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void launch(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                   unsigned int n) {
  add<<<n / 4, 4>>>(sum, a, b);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, COURSE_LENGTH, 1 << 26, 3 * sizeof(unsigned int));
  ladder.size -= ladder.size % 4;
  if (ladder.size == 0) ladder.size = 4;
  add_run(launch);
  return ladder_end();
}
