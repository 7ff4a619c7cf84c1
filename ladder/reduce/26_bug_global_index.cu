/* Reduce 26, BUG: the tile read at the global index
 *
 * Idea     rung 03, but the sum of a tile is read at tile[blockIdx.x * 256], where thread 0's
 *          element lies in the array, not at tile[0]
 * Cost     as rung 03
 * Shows    right with one block, out of bounds from block 1 on. A GPU stops with an error where
 *          the index leaves all shared memory, before that it reads what other blocks hold
 * Source   the course's exercise on indices: which of them are global?
 *
 * //! title: BUG: shared result read at the global index
 * //! expect: caught out-of-bounds
 */
#include "reduce.h"

enum { TILE = 256 };

__global__ void reduce_tiles(const REAL *in, size_t n, REAL *sums) {
  __shared__ REAL tile[TILE];
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)TILE + t;
  tile[t] = i < n ? in[i] : 0;
  if (i < n) LADDER_READ(REAL_WORDS);
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = TILE / 2; half > 0; half /= 2) {
    if (t < half) {
      tile[t] += tile[t + half];
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) {
    sums[blockIdx.x] = tile[i]; /* BUG: i counts from the start of the array */
    LADDER_WROTE(REAL_WORDS);
  }
}

/* The kernel ran to its end: its sums tell. Block 0 is right; any other may be right only if
 * by chance the same number lies where it read. */
static void compare(const struct reduce *m, size_t blocks) {
  REAL *got = (REAL *)ladder_host_memory(blocks * sizeof(REAL));
  size_t wrong = 0, first = 0;
  CHECK(cudaMemcpy(got, m->sums[0], blocks * sizeof(REAL), cudaMemcpyDeviceToHost));
  for (size_t b = 0; b < blocks; ++b) {
    double want = 0;
    for (size_t i = b * TILE; i < m->n && i < (b + 1) * TILE; ++i) want += (double)m->host[i];
    if ((double)got[b] != want && wrong++ == 0) first = b;
  }
  printf("Wrong sums: %zu of %zu, the first in block %zu\n", wrong, blocks, first);
  if (wrong)
    ladder_caught("out of bounds: no error, but %zu of %zu sums are wrong, from block %zu on",
                  wrong, blocks, first);
  ladder_needs_check("out of bounds: the sums look right this time");
  free(got);
}

int main(int argc, char **argv) {
  struct reduce m;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 16, sizeof(REAL) + 1);
  if (ladder.size <= TILE) ladder_usage("--size: two blocks, more than 256, are needed", "");
  reduce_open(&m, ladder.size, TILE);
  reduce_to_device(&m);
  const size_t blocks = (m.n + TILE - 1) / TILE;
  ladder_start();
  reduce_tiles<<<(unsigned int)blocks, TILE>>>(m.data, m.n, m.sums[0]);
  const cudaError_t error = ladder_stop();
  printf("%zu blocks: %s\n", blocks, cudaGetErrorString(error));
  if (!ladder_caught_error("out of bounds", error)) compare(&m, blocks);
  return ladder_end(); /* after an error the context is lost: nothing can be freed */
}
