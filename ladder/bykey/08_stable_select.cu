/* By key 08: select by a scan: stable
 *
 * Idea     an element's place is the number of elements selected before it. Count: each block
 *          counts those of its tile. Scan: the counts up to each block. Scatter: each block
 *          counts again, within warps by the vote of rung 07, from warp to warp in shared memory,
 *          and writes behind what the blocks before it have
 * Cost     3 launches and more; two reads an element, a write an element selected; no atomic
 * Shows    the order of the input is kept, and with it one result for every schedule. The price
 *          is a second read: where a block begins is known only when all have counted
 * Source   Blelloch 1990 (pack); Billeter, Olsson and Assarsson, Efficient Stream Compaction, 2009
 *
 * //! title: select by a scan: stable
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define SCAN_SELECT_MAIN
#endif
#include "../scan/07_multi_block.cu"
#include "bykey.h"

/* How many of the block's threads before this one ask; *all: how many do. All must come; they may
 * come again after a barrier. */
__device__ static unsigned int rank_in_block(bool asks, unsigned int *all) {
  __shared__ unsigned int of_warp[BLOCK / 32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned int askers = __ballot_sync(0xffffffffu, asks);
  unsigned int before = 0, sum = 0;
  if (lane == 0) of_warp[warp] = (unsigned int)__popc(askers);
  __syncthreads(); /* every warp has counted */
  for (unsigned int w = 0; w < BLOCK / 32; ++w) {
    if (w == warp) before = sum;
    sum += of_warp[w];
  }
  LADDER_STEP();
  *all = sum;
  return before + (unsigned int)__popc(askers & ((1u << lane) - 1));
}

#ifdef SCAN_SELECT_MAIN /* rungs 09 and 11 take rank_in_block */
__global__ void count_odd(const unsigned int *in, size_t n, unsigned int *counts) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  unsigned int all;
  rank_in_block(i < n && in[i] % 2 == 1, &all);
  if (i < n) LADDER_READ(1);
  if (threadIdx.x > 0) return;
  counts[blockIdx.x] = all;
  LADDER_WROTE(1);
}

/* upto[block]: what is selected in blocks 0 .. block */
__global__ void scatter_odd(const unsigned int *in, size_t n, const unsigned int *upto,
                            unsigned int *out, unsigned int *count) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  const unsigned int own = i < n ? in[i] : 0;
  unsigned int all;
  const unsigned int rank = rank_in_block(own % 2 == 1, &all);
  const unsigned int before = upto[blockIdx.x] - all;
  if (threadIdx.x == 0) {
    LADDER_READ(1);
    if (blockIdx.x == gridDim.x - 1) *count = before + all;
  }
  if (i >= n) return;
  LADDER_READ(1);
  LADDER_WORK(1);
  if (own % 2 == 0) return;
  out[before + rank] = own;
  LADDER_WROTE(1);
}

/* work: counts, and the sums of the scan's blocks */
static void launch(struct bykey *b) {
  const unsigned int blocks = sort_blocks(b->n, BLOCK);
  count_odd<<<blocks, BLOCK>>>(b->keys, b->n, b->work);
  multi_block(b->work, blocks, b->work, b->work + blocks);
  scatter_odd<<<blocks, BLOCK>>>(b->keys, b->n, b->work, b->out, b->count);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 3 * sizeof(unsigned int));
  const size_t blocks = sort_blocks(bykey_at_least(ladder.size), BLOCK);
  bykey_main(BYKEY_SELECT, ladder.size, 2 * blocks + 64, launch);
  return ladder_end();
}
#endif
