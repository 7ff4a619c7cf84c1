/* By key 02: heads, and the scan that numbers them
 *
 * Idea     a key that differs from its left neighbour is the head of a run. A flag is 1 at a head;
 *          the scan of the flags tells each element the number of its run. Heads, and they alone,
 *          write their key and position to the place of that number. A run is as long as the
 *          distance to the next head
 * Cost     4 launches and more (flags, scan of rung scan/07, heads, lengths): about 9 words an
 *          element, 5 a run
 * Shows    "is this a head?" asks one neighbour only, and all threads ask at once. "Which head?" is
 *          a scan. Result: run-length encoding. Sums are missing: they are a scan, too, of
 *          another kind (rung 03)
 * Source   Blelloch, Prefix Sums and Their Applications, 1990; run-length encoding, Golomb 1966
 *
 * //! title: heads by neighbours, numbers by a scan
 * //! expect: right
 */
#define LADDER_PARTS
#include "../scan/07_multi_block.cu"
#include "bykey.h"

__global__ void take_flags(const unsigned int *keys, size_t n, unsigned int *flag) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  flag[i] = i == 0 || keys[i] != keys[i - 1];
  LADDER_READ(2);
  LADDER_WROTE(1);
  LADDER_WORK(1);
}

/* upto[i]: the heads among elements 0 .. i */
__global__ void write_heads(const unsigned int *keys, size_t n, const unsigned int *flag,
                            const unsigned int *upto, unsigned int *out_keys, unsigned int *begin,
                            unsigned int *count) {
  const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  LADDER_READ(1);
  if (i + 1 == n) {
    *count = upto[i];
    LADDER_READ(1);
    LADDER_WROTE(1);
  }
  if (!flag[i]) return;
  out_keys[upto[i] - 1] = keys[i];
  begin[upto[i] - 1] = (unsigned int)i;
  LADDER_READ(2);
  LADDER_WROTE(2);
}

/* A thread for each run there may be; the last run ends with the array. */
__global__ void take_lengths(const unsigned int *begin, const unsigned int *count, size_t n,
                             unsigned int *length) {
  const size_t run = blockIdx.x * (size_t)BLOCK + threadIdx.x;
  const unsigned int runs = *count;
  LADDER_STEP();
  if (run >= runs) return;
  length[run] = (run + 1 < runs ? begin[run + 1] : (unsigned int)n) - begin[run];
  LADDER_READ(2);
  LADDER_WROTE(1);
  LADDER_WORK(1);
}

/* work: n flags, n numbers, n begins, and the sums of the scan's blocks */
static void launch(struct bykey *b) {
  unsigned int *const flag = b->work, *const upto = flag + b->n, *const begin = upto + b->n;
  const unsigned int blocks = sort_blocks(b->n, BLOCK);
  take_flags<<<blocks, BLOCK>>>(b->keys, b->n, flag);
  multi_block(flag, b->n, upto, begin + b->n);
  write_heads<<<blocks, BLOCK>>>(b->keys, b->n, flag, upto, b->out_keys, begin, b->count);
  take_lengths<<<blocks, BLOCK>>>(begin, b->count, b->n, b->out);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 8 * sizeof(unsigned int));
  const size_t n = bykey_at_least(ladder.size);
  bykey_main(BYKEY_LENGTHS, n, 3 * n + n / 512 + 64, launch);
  return ladder_end();
}
