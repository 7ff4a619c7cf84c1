/* Sort 15, BUG: a bitonic step without its barrier
 *
 * Idea     the tile of rung 05 with a barrier behind each stage, but none behind its steps
 * Cost     as rung 05, 28 barriers of 36 fewer for 256 keys
 * Shows    the keys of a step are what the step before left in them, and another thread may
 *          not have written that yet. Where threads run one after the other between barriers the
 *          keys come out in disorder; on a GPU, where the warps of a block run nearly in step,
 *          they may be in order for years, above all when distances are short. A race checker
 *          reports the read and the writes whatever the keys are
 * Source   the course's question: which of the barriers may go?
 *
 * //! title: BUG: bitonic step without its barrier
 * //! expect: caught race
 */
#include "sort.h"

enum { SORT_TILE = 256, PAIRS = SORT_TILE / 2 };

__device__ static void exchange(unsigned int *key, unsigned int low, unsigned int high) {
  const unsigned int a = key[low], b = key[high]; /* BUG: may not be written yet */
  key[low] = min(a, b);                           /* BUG: may not be read yet */
  key[high] = max(a, b);                          /* BUG: may not be read yet */
  LADDER_WORK(1);
  LADDER_STEP();
}

__global__ void sort_tiles(const unsigned int *in, size_t n, unsigned int *out) {
  __shared__ unsigned int key[SORT_TILE];
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  const unsigned int t = threadIdx.x;
  for (unsigned int i = t; i < SORT_TILE; i += PAIRS) {
    key[i] = first + i < n ? in[first + i] : 0xffffffffu;
    if (first + i < n) LADDER_READ(1);
  }
  __syncthreads(); /* all keys are there */
  for (unsigned int size = 2; size <= SORT_TILE; size *= 2) {
    const unsigned int half = size / 2, at = t / half * size;
    exchange(key, at + t % half, at + size - 1 - t % half);
    for (unsigned int distance = size / 4; distance > 0; distance /= 2) {
      const unsigned int low = 2 * t - (t & (distance - 1));
      exchange(key, low, low + distance); /* behind each step a barrier is missing */
    }
    __syncthreads(); /* this stage is done */
  }
  for (unsigned int i = t; i < SORT_TILE && first + i < n; i += PAIRS) {
    out[first + i] = key[i];
    LADDER_WROTE(1);
  }
}

int main(int argc, char **argv) {
  struct sort s;
  size_t wrong = 0;
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 20, 2 * sizeof(unsigned int));
  sort_open(&s, ladder.size, 0);
  ladder_start();
  sort_tiles<<<sort_blocks(s.n, SORT_TILE), PAIRS>>>(s.in, s.n, s.out);
  CHECK(ladder_stop());
  memcpy(s.want, s.host, s.n * sizeof *s.want);
  sort_serial(s.want, s.n, SORT_TILE);
  sort_to_host(s.got, s.out, s.n);
  for (size_t i = 0; i < s.n; ++i) wrong += s.got[i] != s.want[i];
  printf("Wrong keys: %zu of %zu\n", wrong, s.n);
  ladder_key_count("wrong_keys", wrong);
  ladder_needs_check("race: %zu of %zu keys are wrong this time", wrong, s.n);
  sort_close(&s);
  return ladder_end();
}
