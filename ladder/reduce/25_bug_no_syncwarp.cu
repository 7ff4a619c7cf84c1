/* Reduce 25, BUG: warp-synchronous code without __syncwarp
 *
 * Idea     rung 08 without __syncwarp: the last warp's lanes are trusted to run in step, and
 *          volatile keeps the tile in memory
 * Cost     as rung 08
 * Shows    lanes of one warp need not run in step since 2017 (independent thread scheduling):
 *          lane 0 may read tile[8] before lane 8 has added tile[24] to it. Right on an
 *          H200, wrong where lanes run one after the other; a race on both
 * Source   CUDA C++ Programming Guide, Independent Thread Scheduling
 *
 * //! title: BUG: warp-synchronous code without __syncwarp
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
  volatile REAL *const last = tile;
  for (unsigned int offset = 32; offset > 0; offset /= 2) {
    if (t < offset) {
      last[t] = last[t] + last[t + offset]; /* BUG: lanes need not run in step */
      LADDER_WORK(1);
    }
    LADDER_STEP();
    /* here __syncwarp is missing */
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
