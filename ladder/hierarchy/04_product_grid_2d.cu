// A grid of two dimensions over blocks of two dimensions.
//
//! title: 2-D grid of 2-D blocks
//! expect: right
//
// Idea    idx and idy are a thread's column and row in the whole grid; a row is
//         gridDim.x * blockDim.x threads long, so the running number is
//         thread_idx = gridDim.x * blockDim.x * idy + idx. Pictures and matrices are cut so.
// Cost    1 step, n multiplications.
// Shows   coordinates are names for threads and nothing else: any one-to-one map from threads
//         to elements gives the same result. 128 elements are a grid of 2 x 2 blocks of 8 x 4.
// Source  course topic: the grid in two dimensions.
#include "../common/ladder.h"
#include "product.h"

enum { WIDE = 8, HIGH = 4 };

__global__ void product(unsigned int *a, const unsigned int *b, const unsigned int *c,
                        unsigned int n) {
  const unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int idy = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned int thread_idx = gridDim.x * blockDim.x * idy + idx;
  LADDER_STEP();
  if (thread_idx >= n) return;
  LADDER_READ(2);
  a[thread_idx] = b[thread_idx] * c[thread_idx];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

// Two blocks a row, as many rows as it takes; more a row where 65,535 rows do not do.
static dim3 blocks_for(size_t n) {
  unsigned int across = 2;
  while ((n + across * WIDE * HIGH - 1) / (across * WIDE * HIGH) > 65535) across *= 2;
  const size_t down = (n + across * WIDE * HIGH - 1) / (across * WIDE * HIGH);
  return dim3(across, (unsigned int)down, 1);
}

static void launch(unsigned int *a, const unsigned int *b, const unsigned int *c, unsigned int n) {
  product<<<blocks_for(n), dim3(WIDE, HIGH, 1)>>>(a, b, c, n);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 128, 128, 3 * sizeof(unsigned int));
  product_run(launch);
  const dim3 blocks = blocks_for(ladder.size);
  printf("%zu products by %u x %u blocks of %d x %d threads\n", ladder.size, blocks.x, blocks.y,
         WIDE, HIGH);
  return ladder_end();
}
