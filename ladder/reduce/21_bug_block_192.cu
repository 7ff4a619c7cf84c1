/* Reduce 21, BUG: a block of 192 threads
 *
 * Idea     halving 192 gives 96, 48, 24, 12, 6, 3 and then 1: of the last three sums one is
 *          left out. Halving needs a power of two
 * Cost     7 steps, 190 adds instead of 191
 * Shows    192 ones give 128. No race, no fault: only comparing the result finds it, and only
 *          if somebody tries such a block
 * Source   the classic warning in the course's dot product
 *
 * //! title: BUG: block size not a power of two
 * //! expect: caught wrong result
 * //! size: fixed
 */
#include "reduce.h"

enum { THREADS = 192 };

__global__ void reduce_tile(const REAL *in, REAL *sum) {
  __shared__ REAL tile[THREADS];
  const unsigned int t = threadIdx.x;
  tile[t] = in[t];
  LADDER_READ(REAL_WORDS);
  __syncthreads();                                             /* the tile is complete */
  for (unsigned int half = THREADS / 2; half > 0; half /= 2) { /* the bug: 3 / 2 is 1 */
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) *sum = tile[0];
}

int main(int argc, char **argv) {
  REAL ones[THREADS], *data, *sum;
  ladder_begin(argc, argv, __FILE__, THREADS, THREADS, sizeof(REAL));
  reduce_fixed(THREADS, "one block of 192");
  for (int i = 0; i < THREADS; ++i) ones[i] = 1;
  CHECK(cudaMalloc((void **)&data, sizeof ones));
  CHECK(cudaMalloc((void **)&sum, sizeof *sum));
  CHECK(cudaMemcpy(data, ones, sizeof ones, cudaMemcpyHostToDevice));
  ladder_start();
  reduce_tile<<<1, THREADS>>>(data, sum);
  CHECK(ladder_stop());
  const REAL got = reduce_result(sum);
  printf("%d threads of ones give %g\n", THREADS, (double)got);
  if (got != THREADS) ladder_caught("wrong result: %g instead of %d", (double)got, THREADS);
  ladder_true(got == 128, "192 ones should give 128 here");
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
  return ladder_end();
}
