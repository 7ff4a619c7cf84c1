/* Reduce 02: thread 0 adds the whole tile
 *
 * Idea     256 threads fetch a tile into shared memory; then thread 0 adds it up alone
 * Cost     a tile: 255 steps, 255 adds
 * Shows    no more adds than the serial loop has, and no fewer steps: 255 threads of a block
 *          wait. Rung 03 needs 8 steps for the same tile
 * Source   the course's first block sum
 *
 * //! title: thread 0 adds the whole tile
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
  if (t == 0) {
    REAL sum = tile[0];
    for (unsigned int k = 1; k < TILE; ++k) {
      sum += tile[k];
      LADDER_STEP();
      LADDER_WORK(1);
    }
    sums[blockIdx.x] = sum;
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
