/* Reduce 12: finish on the host
 *
 * Idea     a fixed number of blocks, enough to fill the device: each thread adds many elements
 *          alone, then the block adds its threads (block_sum.h); the host adds the block sums
 * Cost     n / p + 8 + blocks steps on p threads, n - 1 adds
 * Shows    serial adds first, tree last: as few as possible of the steps where most threads
 *          idle. The host gets a few hundred numbers instead of n
 * Source   Brent 1974; Harris 2007, "algorithm cascading"
 *
 * //! title: block sums, finished by the host
 * //! expect: right
 */
#include "reduce.h"

#include "block_sum.h"

enum { THREADS = 256, MOST_BLOCKS = 1024 };

int main(int argc, char **argv) {
  struct reduce m;
  REAL sums[MOST_BLOCKS], sum = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, sizeof(REAL) + 1);
  reduce_open(&m, ladder.size, THREADS);
  reduce_to_device(&m);
  const size_t needed = (m.n + THREADS - 1) / THREADS;
  const unsigned int blocks = (unsigned int)(needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    partial_sums<<<blocks, THREADS>>>(m.data, m.n, m.sums[0]);
    CHECK(cudaMemcpy(sums, m.sums[0], blocks * sizeof(REAL), cudaMemcpyDeviceToHost));
    sum = sums[0];
    for (unsigned int b = 1; b < blocks; ++b) sum += sums[b];
    ladder_host(LADDER_COUNT_WORK, blocks - 1);
    ladder_host(LADDER_COUNT_STEPS, blocks - 1);
    CHECK(ladder_stop());
    if (!reduce_verify(&m, sum)) break;
  }
  printf("Sum of %zu, %u blocks, finished by the host: %.9g\n", m.n, blocks, (double)sum);
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
  return ladder_end();
}
