/* By key 06: select, an atomic an element
 *
 * Idea     every thread looks at one element; if it is wanted, here if it is odd, the thread draws
 *          a place from a counter by atomicAdd and writes it there
 * Cost     one launch, one read an element; an atomic and a write an element selected
 * Shows    the shortest right compaction. All selected elements are there, once each, in the order
 *          in which their threads came: another run, another order. And every atomic is at one
 *          address, so that they queue
 * Source   the first compaction that many write; stream compaction, Horn 2005
 *
 * //! title: select, an atomic an element
 * //! expect: right
 */
#include "bykey.h"

__global__ void select_odd(const unsigned int *in, size_t n, unsigned int *out,
                           unsigned int *count) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  LADDER_READ(1);
  LADDER_WORK(1);
  if (in[i] % 2 == 0) return;
  out[atomicAdd(count, 1u)] = in[i];
  LADDER_ATOMIC(1);
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
