/* Reduce 08: __syncwarp for the last warp
 *
 * Idea     from 64 elements on only warp 0 has something to add. It needs no barrier of the
 *          block, only that its own lanes wait for each other: __syncwarp
 * Cost     a tile of 256: 8 steps, 255 adds; 3 barriers of the block instead of 9
 * Shows    seven warps are done after two levels. Without __syncwarp this is rung 25: lanes of
 *          one warp have not had to run in step since 2017
 * Source   Harris 2007, "unroll the last warp", with the synchronisation that it left out
 *
 * //! title: __syncthreads down to 64, then __syncwarp
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
  for (unsigned int half = TILE / 2; half > 32; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t >= 32) return;
  for (unsigned int half = 32; half > 0; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncwarp(); /* this level is complete */
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
