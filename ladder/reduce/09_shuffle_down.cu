/* Reduce 09: shuffles for the last warp
 *
 * Idea     the last 32 sums stay in registers; each lane adds what the lane 16, 8, 4, 2, 1
 *          places further holds (__shfl_down_sync)
 * Cost     a tile of 256: 8 steps; 128 + 64 + 32 adds in shared memory, then 16 + 8 + 4 + 2 + 1.
 *          Lanes whose sums nobody needs add too, at no cost, and are not counted
 * Shows    the last five levels need neither shared memory nor a barrier
 * Source   Luitjens, Faster Parallel Reductions on Kepler, 2014
 *
 * //! title: shuffle down in the last warp
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
  REAL sum = tile[t] + tile[t + 32];
  LADDER_STEP();
  LADDER_WORK(1);
  for (unsigned int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
    LADDER_STEP();
    if (t < offset) LADDER_WORK(1);
  }
  if (t == 0) {
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
