/* By key 09: select in one pass, with look-back
 *
 * Idea     a block needs one number from those before it: how many elements they select. It
 *          publishes its own count and walks back over what they have published, counts or already
 *          totals, up to the first total; then it publishes its own total and writes
 * Cost     one launch, one read an element, a write an element selected: nothing is read twice
 * Shows    rung 08's stable result with rung 06's traffic. Blocks wait for blocks, and none
 *          for ever: a tile's number is drawn when its block begins, so that those before it are
 *          running, and they publish their own counts without waiting for anybody
 * Source   Merrill and Garland, Decoupled Look-back, 2016; for digits it is sort/11
 *
 * //! title: select in one pass, with look-back
 * //! expect: right
 */
#define LADDER_PARTS
#include "08_stable_select.cu"

/* What a tile has published: 0 nothing; its own count; or the total up to it. */
#define OWN 0x40000000u
#define TOTAL 0x80000000u
#define VALUE 0x3fffffffu

/* What all tiles before have; one thread a block. A word has state and value in one, hence no
 * fence is needed between them. */
__device__ static unsigned int look_back(unsigned int *published, unsigned int tile,
                                         unsigned int own) {
  unsigned int before = 0;
  atomicExch(&published[tile], (tile == 0 ? TOTAL : OWN) | own);
  LADDER_ATOMIC(1);
  for (unsigned int k = tile; k > 0;) {
    const unsigned int found = atomicAdd(&published[k - 1], 0u);
    LADDER_ATOMIC(1);
    if (found == 0) continue; /* not yet */
    before += found & VALUE;
    if (found & TOTAL) break;
    --k;
  }
  if (tile > 0) {
    atomicExch(&published[tile], TOTAL | (before + own));
    LADDER_ATOMIC(1);
  }
  return before;
}

/* published: a word a tile; it and the ticket are zero before. */
__global__ void sweep_odd(const unsigned int *in, size_t n, unsigned int *published,
                          unsigned int *ticket, unsigned int *out, unsigned int *count) {
  __shared__ unsigned int tile, begin;
  unsigned int all;
  if (threadIdx.x == 0) {
    tile = atomicAdd(ticket, 1u);
    LADDER_ATOMIC(1);
  }
  __syncthreads(); /* the tile's number is there */
  const size_t i = tile * (size_t)BLOCK + threadIdx.x;
  const unsigned int own = i < n ? in[i] : 0;
  const unsigned int rank = rank_in_block(own % 2 == 1, &all);
  if (threadIdx.x == 0) {
    begin = look_back(published, tile, all);
    if (tile == gridDim.x - 1) *count = begin + all;
  }
  __syncthreads(); /* the tile's first place is there */
  if (i >= n) return;
  LADDER_READ(1);
  LADDER_WORK(1);
  if (own % 2 == 0) return;
  out[begin + rank] = own;
  LADDER_WROTE(1);
}

/* work: what tiles publish, the ticket */
static void launch(struct bykey *b) {
  const unsigned int tiles = sort_blocks(b->n, BLOCK);
  CHECK(cudaMemsetAsync(b->work, 0, (tiles + 1) * sizeof *b->work, 0));
  sweep_odd<<<tiles, BLOCK>>>(b->keys, b->n, b->work, b->work + tiles, b->out, b->count);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 3 * sizeof(unsigned int));
  if (ladder.size > VALUE) ladder_usage("--size", "more elements than 30 bits can count");
  bykey_main(BYKEY_SELECT, ladder.size, 1 + (size_t)sort_blocks(bykey_at_least(ladder.size), BLOCK),
             launch);
  return ladder_end();
}
