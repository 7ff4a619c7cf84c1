/* Reduce 05: the tree in shared memory
 *
 * Idea     each element is fetched once into shared memory; the tree grows there;
 *          1024 elements a block
 * Cost     a tile of 1024: 10 steps, 1023 adds, 1,024 words read and 1 written
 * Shows    the same steps and the same work as rung 04 with a third of the traffic
 * Source   the course's second whole-array reduction; Harris 2007
 *
 * //! title: tree in shared memory
 * //! expect: right
 */
#include "reduce.h"

enum { SHARED_TILE = 1024 };

__global__ void reduce_in_shared(const REAL *in, size_t n, REAL *sums) {
  __shared__ REAL tile[SHARED_TILE];
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)SHARED_TILE + t;
  tile[t] = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(REAL_WORDS);
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = SHARED_TILE / 2; half > 0; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[0];
    LADDER_WROTE(REAL_WORDS);
  }
}

static void pass_in_shared(REAL *data, size_t n, REAL *sums) {
  const size_t blocks = (n + SHARED_TILE - 1) / SHARED_TILE;
  reduce_in_shared<<<(unsigned int)blocks, SHARED_TILE>>>(data, n, sums);
}

#ifndef LADDER_PARTS /* rung 06 takes the tree alone */
int main(int argc, char **argv) {
  reduce_main(argc, argv, __FILE__, SHARED_TILE, REDUCE_KEEPS, pass_in_shared);
  return ladder_end();
}
#endif
