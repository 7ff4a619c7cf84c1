// One block, one thread an element.
//
//! title: one block of 128 threads
//! expect: right
//
// Idea    the loop's body becomes the kernel, the loop's counter becomes threadIdx.x. The
//         launch <<<1, 128>>> stands for "for (i = 0; i < 128; ++i)".
// Cost    1 step for all, n multiplications.
// Shows   the work stays, the steps go from n to 1. A block ends at 1,024 threads; a larger
//         --size is cut to that.
// Source  course topic: from a loop to threads.
#include "../common/ladder.h"
#include "product.h"

__global__ void product(unsigned int *a, const unsigned int *b, const unsigned int *c) {
  const unsigned int i = threadIdx.x;
  LADDER_STEP();
  LADDER_READ(2);
  a[i] = b[i] * c[i];
  LADDER_WORK(1);
  LADDER_WROTE(1);
}

static void launch(unsigned int *a, const unsigned int *b, const unsigned int *c, unsigned int n) {
  product<<<1, n>>>(a, b, c);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 128, 128, 3 * sizeof(unsigned int));
  if (ladder.size > 1024) ladder.size = 1024;
  product_run(launch);
  printf("%zu products by 1 block of %zu threads\n", ladder.size, ladder.size);
  return ladder_end();
}
