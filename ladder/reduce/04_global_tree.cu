/* Reduce 04: the tree in global memory
 *
 * Idea     halving as in rung 03, but the tile stays where it is, in global memory;
 *          1024 elements a block
 * Cost     a tile of 1024: 10 steps, 1023 adds; each add reads two words and writes one, and
 *          the sum is read and written once more: 2,047 words read, 1,024 written
 * Shows    that steps and work are not all: three words travel for every add. The input is
 *          destroyed on the way
 * Source   the course's first whole-array reduction
 *
 * //! title: tree in global memory
 * //! expect: right
 */
#include "reduce.h"

enum { GLOBAL_TILE = 1024 };

__global__ void reduce_in_global(REAL *data, size_t n, REAL *sums) {
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)GLOBAL_TILE + t;
  for (unsigned int half = GLOBAL_TILE / 2; half > 0; half /= 2) {
    if (t < half && i + half < n) {
      data[i] += data[i + half];
      LADDER_READ(2 * REAL_WORDS);
      LADDER_WROTE(REAL_WORDS);
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) {
    sums[blockIdx.x] = data[i];
    LADDER_READ(REAL_WORDS);
    LADDER_WROTE(REAL_WORDS);
  }
}

static void pass_in_global(REAL *data, size_t n, REAL *sums) {
  const size_t blocks = (n + GLOBAL_TILE - 1) / GLOBAL_TILE;
  reduce_in_global<<<(unsigned int)blocks, GLOBAL_TILE>>>(data, n, sums);
}

#ifndef LADDER_PARTS /* rung 06 takes the tree alone */
int main(int argc, char **argv) {
  reduce_main(argc, argv, __FILE__, GLOBAL_TILE, REDUCE_OVERWRITES, pass_in_global);
  return ladder_end();
}
#endif
