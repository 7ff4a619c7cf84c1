/* Reduce 23, BUG: no barrier in the loop
 *
 * Idea     rung 03 without the barrier behind each halving
 * Cost     as rung 03, 8 barriers fewer
 * Shows    a thread reads tile[t + half] while another warp may not have added to it yet.
 *          Whether the sum is wrong depends on which warp comes first: where threads run one
 *          after the other it is wrong at once, on a GPU it may be right for years. Comparing
 *          results is no proof; a race checker reports both lines, whatever the sum
 * Source   the course's exercise: what if the barrier is left out?
 *
 * //! title: BUG: barrier left out
 * //! expect: caught race
 */
#include "reduce.h"

enum { TILE = 256 };

__global__ void reduce_tiles(const REAL *in, size_t n, REAL *sums) {
  __shared__ REAL tile[TILE];
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)TILE + t;
  tile[t] = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(REAL_WORDS);
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = TILE / 2; half > 0; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half]; /* BUG: another warp may not have added yet */
      LADDER_WORK(1);
    }
    LADDER_STEP();
    /* here a barrier is missing */
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[0];
    LADDER_WROTE(REAL_WORDS);
  }
}

int main(int argc, char **argv) {
  struct reduce m;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 20, sizeof(REAL) + 1);
  reduce_open(&m, ladder.size, TILE);
  reduce_to_device(&m);
  const size_t blocks = (m.n + TILE - 1) / TILE;
  ladder_start();
  reduce_tiles<<<(unsigned int)blocks, TILE>>>(m.data, m.n, m.sums[0]);
  CHECK(ladder_stop());
  reduce_tell_race(&m, TILE);
  reduce_close(&m);
  return ladder_end();
}
