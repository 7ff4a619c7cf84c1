/* Reduce 13: finish by a second launch
 *
 * Idea     as rung 12, but the block sums are added by one block more: the launch after a
 *          launch is the barrier that blocks of one launch do not have
 * Cost     n / p + 8 steps, then 1 + 10 in a block of 1024
 * Shows    the result never leaves the device until it is one number; the second launch costs
 *          a few microseconds
 * Source   Harris 2007, "kernel decomposition"
 *
 * //! title: block sums, finished by a second launch
 * //! expect: right
 */
#include "reduce.h"

#include "block_sum.h"

enum { THREADS = 256, MOST_BLOCKS = 1024 };

int main(int argc, char **argv) {
  struct reduce m;
  REAL sum = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, sizeof(REAL) + 1);
  reduce_open(&m, ladder.size, THREADS);
  reduce_to_device(&m);
  const size_t needed = (m.n + THREADS - 1) / THREADS;
  const unsigned int blocks = (unsigned int)(needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    partial_sums<<<blocks, THREADS>>>(m.data, m.n, m.sums[0]);
    partial_sums<<<1, 1024>>>(m.sums[0], blocks, m.sums[1]);
    CHECK(ladder_stop());
    sum = reduce_result(m.sums[1]);
    if (!reduce_verify(&m, sum)) break;
  }
  printf("Sum of %zu, %u blocks, finished by a second launch: %.9g\n", m.n, blocks, (double)sum);
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
  return ladder_end();
}
