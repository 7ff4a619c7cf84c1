/* Sort 03: rank sort
 *
 * Idea     a key's place is the number of keys that are smaller, and of equal ones before it:
 *          each thread counts for its own key, against tiles that the block reads together, and
 *          writes the key where it belongs
 * Cost     n comparisons for each of n keys, n^2 in all; one write a key
 * Shows    no thread waits for another's result, there is nothing but counting: n threads need n
 *          steps, n^2 would need log2 n. Equal keys make the second half of the rule necessary:
 *          without it two threads write one place. Stable
 * Source   Muller and Preparata 1975; Knuth, Sorting and Searching, 5.2 (comparison counting)
 *
 * //! title: rank sort: count what is smaller
 * //! expect: right
 */
#include "sort.h"

enum { THREADS = 256 };

__global__ void rank_keys(const unsigned int *in, size_t n, unsigned int *out) {
  __shared__ unsigned int tile[THREADS];
  const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
  const unsigned int own = i < n ? in[i] : 0;
  size_t place = 0;
  for (size_t first = 0; first < n; first += THREADS) {
    const unsigned int here = n - first < THREADS ? (unsigned int)(n - first) : THREADS;
    if (threadIdx.x < here) {
      tile[threadIdx.x] = in[first + threadIdx.x];
      LADDER_READ(1);
    }
    __syncthreads(); /* the tile is there */
    for (unsigned int k = 0; k < here; ++k) {
      place += tile[k] < own || (tile[k] == own && first + k < i);
      LADDER_STEP();
    }
    if (i < n) LADDER_WORK(here);
    __syncthreads(); /* nobody reads it any more */
  }
  if (i >= n) return;
  out[place] = own;
  LADDER_READ(1);
  LADDER_WROTE(1);
}

static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  (void)work;
  rank_keys<<<sort_blocks(n, THREADS), THREADS>>>(in, n, out);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 16, 2 * sizeof(unsigned int));
  sort_main(ladder.size + SORT_FEWEST, 0, launch);
  return ladder_end();
}
