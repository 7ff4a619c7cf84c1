/* Reduce 01: one loop on the host
 *
 * Idea     sum += x[i] for each element, by one thread of the CPU
 * Cost     n - 1 adds in n - 1 steps: every add waits for the one before
 * Shows    the result that every other rung must reach. The least work there is; no number of
 *          processors makes it faster, since step i needs the sum of step i - 1
 * Source   the textbook's first program
 *
 * //! title: serial loop on the host
 * //! expect: right
 */
#include "reduce.h"

int main(int argc, char **argv) {
  struct reduce m;
  REAL sum = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 0);
  reduce_open(&m, ladder.size, ladder.size);
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    sum = m.host[0];
    for (size_t i = 1; i < m.n; ++i) sum += m.host[i];
    ladder_host(LADDER_COUNT_STEPS, m.n - 1);
    ladder_host(LADDER_COUNT_WORK, m.n - 1);
    CHECK(ladder_stop());
  }
  reduce_verify(&m, sum);
  printf("Sum of %zu: %.9g\n", m.n, (double)sum);
  ladder_moves((double)m.n * sizeof(REAL));
  reduce_close(&m);
  return ladder_end();
}
