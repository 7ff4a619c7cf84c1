/* By key 16, BUG: a place from a counter without an atomic
 *
 * Idea     rung 06 with (*count)++ for atomicAdd(count, 1)
 * Cost     as rung 06, without its atomics
 * Shows    ++ is a read and a write. Who reads between another thread's read and its write draws the
 *          same place: two elements go to one place, one of them is lost, and the count is too small.
 *          On the software device, where threads mostly run one after the other, nearly all of
 *          the elements may be there, or all; on a GPU few are. A race checker reports the line
 *          whatever the elements are
 * Source   the loop of rung 01, copied into a kernel
 *
 * //! title: BUG: a counter without an atomic
 * //! expect: caught race
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
  out[(*count)++] = in[i]; /* BUG: between the read and the write others read, too */
  LADDER_READ(1);
  LADDER_WROTE(2);
}

int main(int argc, char **argv) {
  struct bykey b;
  unsigned int count;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 4 * sizeof(unsigned int));
  bykey_open(&b, ladder.size, 0);
  /* Whatever --data says: where no element is odd nobody counts. */
  for (size_t i = 0; i < b.n; ++i) b.host_keys[i] = (unsigned int)ladder_random(1, i) | !(i % 2);
  bykey_fill_values(b.host_values, b.n);
  bykey_to_device(&b);
  CHECK(cudaMemset(b.count, 0, sizeof *b.count));
  ladder_start();
  select_odd<<<sort_blocks(b.n, BLOCK), BLOCK>>>(b.keys, b.n, b.out, b.count);
  CHECK(ladder_stop());
  bykey_reference(&b, BYKEY_SELECT, b.n);
  sort_to_host(&count, b.count, 1);
  const size_t lost = b.wanted - count;
  printf("Selected %u of %zu odd ones\n", count, b.wanted);
  ladder_key_count("lost", lost);
  ladder_needs_check("race: %zu of %zu elements are lost this time", lost, b.wanted);
  bykey_close(&b);
  return ladder_end();
}
