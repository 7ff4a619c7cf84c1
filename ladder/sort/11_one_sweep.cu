/* Sort 11: one sweep a digit, with look-back
 *
 * Idea     the counts of all four digits of all keys are taken in one launch before the first
 *          pass: they do not change when keys move. Then a pass is one launch: a tile needs,
 *          for each digit, the keys of it in all tiles before. It publishes its own count, walks
 *          back over what these have published, a count or already a total, adds up to the first
 *          total, and publishes its own
 * Cost     1 launch and a scan of 4 x 256 for all, 1 launch a pass; a pass reads and writes each
 *          key once from memory, where rung 10 reads it twice
 * Shows    blocks that wait for each other, without deadlock: a tile's number is drawn by a
 *          counter when its block begins, so that all tiles before it run already. A word holds
 *          state and value, hence no fence is needed between them
 * Source   Merrill and Garland, Decoupled Look-back, 2016; Adinets and Merrill, Onesweep, 2022
 *
 * //! title: one sweep a digit, with look-back
 * //! expect: right
 */
#define LADDER_PARTS
#include "10_radix_match.cu"

enum { PASSES = 32 / BITS };

/* What a tile has published of a digit: 0 nothing; its own count; or the total up to it. */
#define OWN 0x40000000u
#define TOTAL 0x80000000u
#define VALUE 0x3fffffffu

/* counts[pass * 256 + digit], zero before. */
__global__ void count_all_digits(const unsigned int *in, size_t n, unsigned int *counts) {
  __shared__ unsigned int count[PASSES * DIGITS];
  for (unsigned int k = threadIdx.x; k < PASSES * DIGITS; k += THREADS) count[k] = 0;
  __syncthreads(); /* the counters are zero */
  for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    for (unsigned int p = 0; p < PASSES; ++p)
      atomicAdd(&count[p * DIGITS + digit_of(in[i], p * BITS)], 1u);
    LADDER_READ(1);
    LADDER_SHARED_ATOMIC(PASSES);
    LADDER_STEP();
  }
  __syncthreads(); /* the block's keys are counted */
  for (unsigned int k = threadIdx.x; k < PASSES * DIGITS; k += THREADS) {
    if (count[k] == 0) continue;
    atomicAdd(&counts[k], count[k]);
    LADDER_ATOMIC(1);
  }
}

/* A block a pass: counts become the places where each digit begins. */
__global__ void scan_counts(unsigned int *counts) {
  __shared__ unsigned int sum[DIGITS];
  const unsigned int t = threadIdx.x, own = counts[blockIdx.x * DIGITS + t];
  sum[t] = own;
  __syncthreads(); /* all counts are there */
  for (unsigned int distance = 1; distance < DIGITS; distance *= 2) {
    const unsigned int left = t >= distance ? sum[t - distance] : 0;
    __syncthreads(); /* all have read */
    sum[t] += left;
    LADDER_STEP();
    __syncthreads(); /* all have added */
  }
  counts[blockIdx.x * DIGITS + t] = sum[t] - own;
  LADDER_READ(1);
  LADDER_WROTE(1);
}

/* The keys of this thread's digit in all tiles before. Every tile before has begun, and publishes
 * its own count without waiting for anybody. */
__device__ static unsigned int look_back(unsigned int *published, unsigned int tile,
                                         unsigned int own) {
  unsigned int before = 0;
  atomicExch(&published[tile * DIGITS + threadIdx.x], (tile == 0 ? TOTAL : OWN) | own);
  LADDER_ATOMIC(1);
  for (unsigned int k = tile; k > 0;) {
    const unsigned int found = atomicAdd(&published[(k - 1) * DIGITS + threadIdx.x], 0u);
    LADDER_ATOMIC(1);
    if (found == 0) continue; /* not yet */
    before += found & VALUE;
    if (found & TOTAL) break;
    --k;
  }
  if (tile > 0) {
    atomicExch(&published[tile * DIGITS + threadIdx.x], TOTAL | (before + own));
    LADDER_ATOMIC(1);
  }
  return before;
}

/* published: 256 words a tile, and the next tile's number; all zero before. */
__global__ void sweep(const unsigned int *in, size_t n, unsigned int shift,
                      const unsigned int *digit_begin, unsigned int *published,
                      unsigned int *ticket, unsigned int *out) {
  __shared__ struct ranks s;
  __shared__ unsigned int begin[DIGITS], tile;
  unsigned int key[ROWS], rank[ROWS];
  if (threadIdx.x == 0) {
    tile = atomicAdd(ticket, 1u);
    LADDER_ATOMIC(1);
  }
  __syncthreads(); /* the tile's number is there */
  const size_t first = tile * (size_t)SORT_TILE;
  rank_in_warp(in, n, first, shift, &s, key, rank);
  __syncthreads(); /* every warp has counted */
  begin[threadIdx.x] = digit_begin[threadIdx.x] + look_back(published, tile, add_warps(&s));
  LADDER_READ(1);
  __syncthreads(); /* every digit's places are there */
  for (unsigned int r = 0; r < ROWS; ++r) {
    if (key_index(first, r) >= n) continue;
    const unsigned int d = digit_of(key[r], shift);
    out[begin[d] + s.counter[threadIdx.x / 32][d] + rank[r]] = key[r];
    LADDER_WROTE(1);
    LADDER_WORK(1);
  }
}

/* work: n keys, counts of all digits, what tiles publish, the ticket */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const unsigned int tiles = sort_blocks(n, SORT_TILE);
  const unsigned int counting = min(tiles, 512u); /* blocks, each of many tiles */
  const size_t words = (size_t)tiles * DIGITS + 1;
  unsigned int *const counts = work + n, *const published = counts + PASSES * DIGITS;
  CHECK(cudaMemsetAsync(counts, 0, PASSES * DIGITS * sizeof *counts, 0));
  count_all_digits<<<counting, THREADS>>>(in, n, counts);
  scan_counts<<<PASSES, DIGITS>>>(counts);
  for (unsigned int p = 0; p < PASSES; ++p) {
    unsigned int *const to = p % 2 ? out : work; /* the last one writes out */
    CHECK(cudaMemsetAsync(published, 0, words * sizeof *published, 0));
    sweep<<<tiles, THREADS>>>(in, n, p * BITS, counts + p * DIGITS, published,
                              published + words - 1, to);
    in = to;
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 4 * sizeof(unsigned int));
  if (ladder.size > VALUE) ladder_usage("--size", "more keys than 30 bits can count");
  const size_t tiles = sort_blocks(sort_at_least(ladder.size), SORT_TILE);
  const size_t words = sort_at_least(ladder.size) + (PASSES + tiles) * DIGITS + 1;
  sort_main(ladder.size + SORT_FEWEST, words, launch);
  return ladder_end();
}
