/* Reduce 11: cooperative groups
 *
 * Idea     who works together is a variable: a block, tiles of 32 lanes cut from it, and a
 *          reduction over such a tile is one call
 * Cost     a tile of 256: 5 steps in all warps and 3 in the first (8 values); one barrier
 * Shows    the shuffles of rungs 09 and 10 without masks, lane numbers or loops in the source
 * Source   CUDA C++ Programming Guide, Cooperative Groups
 *
 * //! title: cooperative groups: tiles and cg::reduce
 * //! expect: right
 */
#include "reduce.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

enum { TILE = 256, WARPS = TILE / 32 };

__global__ void reduce_tiles(const REAL *in, size_t n, REAL *sums) {
  __shared__ REAL of_warp[WARPS];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const size_t i = blockIdx.x * (size_t)TILE + block.thread_rank();
  REAL sum = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(REAL_WORDS);
  sum = cg::reduce(warp, sum, cg::plus<REAL>());
  if (warp.thread_rank()) LADDER_WORK(1); /* 31 adds a warp, by definition */
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = sum;
  block.sync(); /* the sum of every warp is there */
  if (warp.meta_group_rank() != 0) return;
  sum = warp.thread_rank() < WARPS ? of_warp[warp.thread_rank()] : 0;
  sum = cg::reduce(warp, sum, cg::plus<REAL>());
  if (warp.thread_rank() && warp.thread_rank() < WARPS) LADDER_WORK(1);
  if (block.thread_rank() == 0) {
    for (int step = 0; step < 8; ++step) LADDER_STEP();
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
