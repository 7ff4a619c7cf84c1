/* Scan 03: one reduction an output
 *
 * Idea     output i is the sum of elements 0..i: a block for each output, which adds them up by
 *          a tree of its own
 * Cost     log2 n steps, as the outputs do not wait for each other; 0 + 1 + ... + (n - 1) =
 *          n (n - 1) / 2 adds: 28 for 8
 * Shows    that few steps are no merit in themselves. Every sum is made anew
 * Source   the course's first parallel scan
 *
 * //! title: one reduction an output: n (n - 1) / 2 adds
 * //! expect: right
 * //! watched: --size 1K
 */
#include "scan.h"

enum { TILE = 4096, REDUCERS = 256 };

/* Block 0 makes the last output, which needs the most steps. Beyond 4096 elements some are
 * added before the tree begins. */
__global__ void reduce_each(const unsigned int *in, size_t n, unsigned int *out) {
  __shared__ unsigned int tile[TILE];
  const size_t last = n - 1 - blockIdx.x;
  unsigned int count = last < TILE ? (unsigned int)last + 1 : TILE;
  for (unsigned int k = threadIdx.x; k < count; k += REDUCERS) {
    tile[k] = in[k];
    LADDER_READ(1);
  }
  for (size_t from = TILE; from <= last; from += TILE) {
    for (unsigned int k = threadIdx.x; k < TILE && from + k <= last; k += REDUCERS) {
      tile[k] += in[from + k];
      LADDER_READ(1);
      LADDER_WORK(1);
    }
    LADDER_STEP();
  }
  __syncthreads(); /* the tile is complete */
  for (; count > 1; count = (count + 1) / 2) {
    const unsigned int pairs = count / 2, keep = (count + 1) / 2;
    for (unsigned int k = threadIdx.x; k < pairs; k += REDUCERS) {
      tile[k] += tile[k + keep];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (threadIdx.x == 0) {
    out[last] = tile[0];
    LADDER_WROTE(1);
  }
}

static void one_reduction_an_output(const unsigned int *in, size_t n, unsigned int *out,
                                    unsigned int *work) {
  (void)work;
  reduce_each<<<(unsigned int)n, REDUCERS>>>(in, n, out);
  scan_step(out, n, 1, "all:");
}

#ifndef LADDER_PARTS /* rung 10 takes the kernel alone */
int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 16, 4 * sizeof(unsigned int));
  scan_main(SCAN_INCLUSIVE, 1, one_reduction_an_output);
  return ladder_end();
}
#endif
