/* Reduce 03: halving
 *
 * Idea     the first half of the threads each adds one element of the second half; then a
 *          quarter, an eighth, until thread 0 holds the sum
 * Cost     a tile of 256: log2 256 = 8 steps, 128 + 64 + ... + 1 = 255 adds
 * Shows    as many adds as one thread needs, in 8 steps instead of 255. The barrier stands
 *          behind the if, where all threads of the block reach it, not inside (rung 22)
 * Source   Harris, Optimizing Parallel Reduction in CUDA, 2007: sequential addressing
 *
 * //! title: 8 halvings instead of 255 steps
 * //! expect: right
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
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[0];
    LADDER_WROTE(REAL_WORDS);
  }
}

static void pass(REAL *data, size_t n, REAL *sums) {
  reduce_tiles<<<(unsigned int)((n + TILE - 1) / TILE), TILE>>>(data, n, sums);
}

int main(int argc, char **argv) {
  reduce_main(argc, argv, __FILE__, TILE, REDUCE_KEEPS, pass);
  return ladder_end();
}
