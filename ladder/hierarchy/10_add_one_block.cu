// Vector addition, threads alone: all of them in one block.
//
//! title: <<<1, N>>>, for small N
//! expect: right
//
// Idea    threadIdx.x alone is the element's number. One block runs on one multiprocessor and
//         has 1,024 threads at most, so N ends there: a larger --size is cut to 1,024.
// Cost    1 step, n additions; 1 block, n/32 warps.
// Shows   full warps, but one multiprocessor of many: the rest of the GPU is idle.
// Source  course topic: vector addition, threads alone.
#include "../common/ladder.h"
#include "vector_add.h"

__global__ void add(unsigned int *sum, const unsigned int *a, const unsigned int *b) {
  const unsigned int i = threadIdx.x;
  LADDER_STEP();
  LADDER_READ(2);
  sum[i] = a[i] + b[i];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void launch(unsigned int *sum, const unsigned int *a, const unsigned int *b,
                   unsigned int n) {
  add<<<1, n>>>(sum, a, b);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1000, 1000, 3 * sizeof(unsigned int));
  if (ladder.size > 1024) ladder.size = 1024;
  add_run(launch);
  return ladder_end();
}
