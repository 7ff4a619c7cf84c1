/* Reduce 24, BUG: no guard in the warp part
 *
 * Idea     rung 08 with if (t < offset) left out of the last warp's steps, "since all lanes run
 *          anyway"
 * Cost     as rung 08, and 32 adds in every step of the last warp
 * Shows    lane 16 adds to tile[16] in the step in which lane 0 reads it: a race between lanes of
 *          one warp, which no __syncwarp behind the step orders. If all lanes read before one
 *          writes, the sum is right, and so it was on old GPUs and is on an H200, whose
 *          racecheck (13.0) sees nothing either
 * Source   Harris 2007 had it this way, with volatile, for GPUs whose lanes ran in step
 *
 * //! title: BUG: guard t < offset dropped in the warp part
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
  for (unsigned int half = TILE / 2; half > 32; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t >= 32) return;
  for (unsigned int offset = 32; offset > 0; offset /= 2) {
    tile[t] += tile[t + offset]; /* BUG: for lanes below offset only */
    LADDER_STEP();
    LADDER_WORK(1);
    __syncwarp(); /* this level is complete */
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
