/* By key 07: select, an atomic a warp
 *
 * Idea     __ballot_sync asks all 32 lanes who has something to write. __popc of the answer is how
 *          many places the warp needs: one lane draws them all at once and tells the others where
 *          they begin, by a shuffle. The lanes before it among the askers are a lane's place
 *          behind that
 * Cost     as rung 06, with an atomic a warp instead of one an element selected: a sixteenth
 *          where half are
 * Shows    the 32 elements of a warp keep their order, warps among each other do not. The vote is
 *          what a compiler makes of rung 06 if it can; here it is certain
 * Source   Adinets, warp-aggregated atomics, NVIDIA developer blog, 2014
 *
 * //! title: select, an atomic a warp
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define WARP_SELECT_MAIN
#endif
#include "bykey.h"

/* A place for each lane that asks. All 32 lanes must come; the others get nothing of use. */
__device__ static unsigned int draw_place(bool asks, unsigned int *count) {
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int askers = __ballot_sync(0xffffffffu, asks);
  const int leader = __ffs((int)askers) - 1;
  unsigned int begin = 0;
  if (askers == 0) return 0; /* all lanes leave */
  if ((int)lane == leader) {
    begin = atomicAdd(count, (unsigned int)__popc(askers));
    LADDER_ATOMIC(1);
  }
  begin = __shfl_sync(0xffffffffu, begin, leader);
  return begin + (unsigned int)__popc(askers & ((1u << lane) - 1));
}

#ifdef WARP_SELECT_MAIN /* rungs 10 and 12 take draw_place */
__global__ void select_odd(const unsigned int *in, size_t n, unsigned int *out,
                           unsigned int *count) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  const unsigned int own = i < n ? in[i] : 0;
  const unsigned int place = draw_place(own % 2 == 1, count);
  LADDER_STEP();
  if (i >= n) return;
  LADDER_READ(1);
  LADDER_WORK(1);
  if (own % 2 == 0) return;
  out[place] = own;
  LADDER_WROTE(1);
}

static void launch(struct bykey *b) {
  CHECK(cudaMemsetAsync(b->count, 0, sizeof *b->count, 0));
  select_odd<<<sort_blocks(b->n, BLOCK), BLOCK>>>(b->keys, b->n, b->out, b->count);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 2 * sizeof(unsigned int));
  bykey_main(BYKEY_SELECT_ANY, ladder.size, 0, launch);
  return ladder_end();
}
#endif
