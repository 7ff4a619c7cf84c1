/* Sort 08: radix sort by one bit: split
 *
 * Idea     bit by bit from the lowest one: keys whose bit is 0 go to the front, the others behind
 *          them, both in the order that they had. A flag is the bit; the scan of the flags says how
 *          many ones stand before a key, and the rest of what stands before it are zeros
 * Cost     32 splits of three launches and more (flags, scan of rung scan/07, scatter); a split
 *          moves 11 words a key: 7 reads and 4 writes of keys, flags and counts
 * Shows    no key is compared with another: the number of bits decides, not log2 n. It works
 *          because each split is stable: the order by lower bits is what equal bits keep. The
 *          scan turns "where do I go?" into a count
 * Source   Blelloch, Prefix Sums and Their Applications, 1990 (split)
 *
 * //! title: radix by one bit: flags, scan, scatter
 * //! expect: right
 */
#define LADDER_PARTS
#include "../scan/07_multi_block.cu"
#include "sort.h"

enum { BITS = 32, THREADS = 256 };

__global__ void take_flags(const unsigned int *in, size_t n, unsigned int bit, unsigned int *flag) {
  const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  flag[i] = in[i] >> bit & 1;
  LADDER_READ(1);
  LADDER_WROTE(1);
}

/* upto[i]: the ones among keys 0 .. i */
__global__ void scatter(const unsigned int *in, size_t n, unsigned int bit,
                        const unsigned int *upto, unsigned int *out) {
  const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  const unsigned int key = in[i], one = key >> bit & 1;
  const size_t ones_before = upto[i] - one, zeros = n - upto[n - 1];
  out[one ? zeros + ones_before : i - ones_before] = key;
  LADDER_READ(3);
  LADDER_WROTE(1);
  LADDER_WORK(1);
}

/* work: n keys, n flags, n counts, and the sums of the scan's blocks */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  unsigned int *const flag = work + n, *const upto = flag + n, *const sums = upto + n;
  const unsigned int blocks = sort_blocks(n, THREADS);
  for (unsigned int bit = 0; bit < BITS; ++bit) {
    unsigned int *const to = bit % 2 ? out : work; /* the last one writes out */
    take_flags<<<blocks, THREADS>>>(in, n, bit, flag);
    multi_block(flag, n, upto, sums);
    scatter<<<blocks, THREADS>>>(in, n, bit, upto, to);
    in = to;
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 7 * sizeof(unsigned int));
  sort_main(ladder.size + SORT_FEWEST, 4 * sort_at_least(ladder.size) + 64, launch);
  return ladder_end();
}
