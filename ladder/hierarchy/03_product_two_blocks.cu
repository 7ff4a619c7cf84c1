// Blocks of 64 threads: an element's number comes from block and thread.
//
//! title: 2 blocks of 64 threads
//! expect: right
//
// Idea    i = blockIdx.x * blockDim.x + threadIdx.x counts through all threads of the grid.
//         Blocks cannot wait for each other and run in any order, on any multiprocessor; that
//         is the price for grids of any size.
// Cost    1 step, n multiplications.
// Shows   the same kernel serves any number of blocks; with 128 elements they are two.
// Source  course topic: the grid; Nickolls, Buck, Garland and Skadron, Scalable parallel
//         programming with CUDA, ACM Queue 6(2), 2008.
#include "../common/ladder.h"
#include "product.h"

enum { THREADS = 64 };

__global__ void product(unsigned int *a, const unsigned int *b, const unsigned int *c,
                        unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return; // a last block that is not full
  LADDER_READ(2);
  a[i] = b[i] * c[i];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void launch(unsigned int *a, const unsigned int *b, const unsigned int *c, unsigned int n) {
  product<<<(n + THREADS - 1) / THREADS, THREADS>>>(a, b, c, n);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 128, 128, 3 * sizeof(unsigned int));
  product_run(launch);
  printf("%zu products by %zu blocks of %d threads\n", ladder.size,
         (ladder.size + THREADS - 1) / THREADS, THREADS);
  return ladder_end();
}
