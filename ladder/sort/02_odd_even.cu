/* Sort 02: odd-even transposition in one block
 *
 * Idea     neighbours are compared and exchanged: in even steps the pairs (0,1) (2,3) ..., in
 *          odd ones (1,2) (3,4) ...; pairs of a step do not touch each other, so that all threads
 *          work, and a barrier ends each step
 * Cost     n steps, n (n - 1) / 2 compare-exchanges
 * Shows    the simplest sort for many threads. A key moves one place a step, so that n steps are
 *          needed, however many threads there are: the work of a bubble sort in the time of one
 *          pass. The barrier is what makes the steps: see rung 15 for one left out
 * Source   Habermann 1972; Knuth, Sorting and Searching, 5.3.4, exercise 37
 *
 * //! title: odd-even transposition in one block
 * //! expect: right
 */
#include "sort.h"

enum { THREADS = 256, MOST = 2048 };

__global__ void odd_even(const unsigned int *in, unsigned int n, unsigned int *out) {
  __shared__ unsigned int key[MOST];
  for (unsigned int i = threadIdx.x; i < n; i += THREADS) {
    key[i] = in[i];
    LADDER_READ(1);
  }
  __syncthreads(); /* all keys are there */
  for (unsigned int step = 0; step < n; ++step) {
    for (unsigned int i = 2 * threadIdx.x + step % 2; i + 1 < n; i += 2 * THREADS) {
      const unsigned int a = key[i], b = key[i + 1];
      LADDER_WORK(1);
      if (a > b) {
        key[i] = b;
        key[i + 1] = a;
      }
    }
    LADDER_STEP();
    __syncthreads(); /* this step's exchanges are done */
  }
  for (unsigned int i = threadIdx.x; i < n; i += THREADS) {
    out[i] = key[i];
    LADDER_WROTE(1);
  }
}

static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  (void)work;
  odd_even<<<1, THREADS>>>(in, (unsigned int)n, out);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1000, MOST, 2 * sizeof(unsigned int));
  if (ladder.size > MOST) ladder_usage("--size", "more than the 2048 keys that one block holds");
  sort_main(MOST, 0, launch);
  return ladder_end();
}
