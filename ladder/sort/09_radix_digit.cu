/* Sort 09: radix sort by digits
 *
 * Idea     a pass sorts by four bits at a time. Count: each block counts the 16 digits of its
 *          tile. Scan: the counts, digit by digit and within a digit block by block, become the
 *          place where each block's keys of a digit begin. Scatter: each thread counts the digits
 *          of its eight neighbouring keys, a scan over (digit, thread) ranks them, and each key
 *          goes to the place of its block and digit, plus its rank
 * Cost     8 passes of three launches and more; a pass reads each key three times
 *          and writes it once
 * Shows    rung 08 with 16 piles instead of two: a tenth of the traffic. What grows is the
 *          table: 16 counters a thread in shared memory. Stable, since counters of a digit stand
 *          in the order of threads, and these hold keys in order
 * Source   Zagha and Blelloch 1991; Satish, Harris and Garland 2009
 *
 * //! title: radix by digits: count, scan, scatter
 * //! expect: right
 */
#define LADDER_PARTS
#include "../scan/07_multi_block.cu"
#include "sort.h"

enum { BITS = 4, DIGITS = 1 << BITS, THREADS = 64, KEYS = 8, SORT_TILE = THREADS * KEYS };

__device__ static unsigned int digit_of(unsigned int key, unsigned int shift) {
  return key >> shift & (DIGITS - 1);
}

/* counts[digit * blocks + block] */
__global__ void count_digits(const unsigned int *in, size_t n, unsigned int shift,
                             unsigned int *counts) {
  __shared__ unsigned int count[DIGITS];
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  if (threadIdx.x < DIGITS) count[threadIdx.x] = 0;
  __syncthreads(); /* the counters are zero */
  for (size_t i = first + threadIdx.x; i < n && i < first + SORT_TILE; i += THREADS) {
    atomicAdd(&count[digit_of(in[i], shift)], 1u);
    LADDER_READ(1);
    LADDER_SHARED_ATOMIC(1);
    LADDER_STEP();
  }
  __syncthreads(); /* the tile is counted */
  if (threadIdx.x >= DIGITS) return;
  counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
  LADDER_WROTE(1);
}

/* Exclusive scan of the table, 16 entries a thread. All 64 threads must come. */
__device__ static void scan_table_of_block(unsigned int *table) {
  __shared__ unsigned int sums[THREADS];
  const unsigned int t = threadIdx.x;
  unsigned int sum = 0;
  for (unsigned int k = 0; k < DIGITS; ++k) sum += table[t * DIGITS + k];
  sums[t] = sum;
  __syncthreads(); /* the sum of every thread is there */
  for (unsigned int distance = 1; distance < THREADS; distance *= 2) {
    const unsigned int left = t >= distance ? sums[t - distance] : 0;
    __syncthreads(); /* all have read */
    sums[t] += left;
    LADDER_STEP();
    __syncthreads(); /* all have added */
  }
  unsigned int before = sums[t] - sum;
  for (unsigned int k = 0; k < DIGITS; ++k) {
    const unsigned int own = table[t * DIGITS + k];
    table[t * DIGITS + k] = before;
    before += own;
  }
  __syncthreads(); /* the table is scanned */
}

/* upto: the inclusive scan of counts */
__global__ void scatter_keys(const unsigned int *in, size_t n, unsigned int shift,
                             const unsigned int *counts, const unsigned int *upto,
                             unsigned int *out) {
  __shared__ unsigned int table[DIGITS * THREADS], begin[DIGITS]; /* (digit, thread) */
  const unsigned int t = threadIdx.x;
  const size_t first = blockIdx.x * (size_t)SORT_TILE + t * KEYS;
  for (unsigned int d = 0; d < DIGITS; ++d) table[d * THREADS + t] = 0;
  for (size_t i = first; i < n && i < first + KEYS; ++i) {
    ++table[digit_of(in[i], shift) * THREADS + t];
    LADDER_READ(1);
    LADDER_STEP();
  }
  __syncthreads(); /* every thread has counted */
  scan_table_of_block(table);
  if (t < DIGITS) { /* what is to be added to a rank in the tile */
    const unsigned int k = t * gridDim.x + blockIdx.x;
    begin[t] = upto[k] - counts[k] - table[t * THREADS];
    LADDER_READ(2);
  }
  __syncthreads(); /* every digit's place is there, and nobody has moved the table yet */
  for (size_t i = first; i < n && i < first + KEYS; ++i) {
    const unsigned int d = digit_of(in[i], shift);
    out[begin[d] + table[d * THREADS + t]++] = in[i];
    LADDER_READ(1);
    LADDER_WROTE(1);
    LADDER_WORK(1);
    LADDER_STEP();
  }
}

/* work: n keys, counts, their scan, and the sums of the scan's blocks */
static void launch(const unsigned int *in, size_t n, unsigned int *out, unsigned int *work) {
  const unsigned int blocks = sort_blocks(n, SORT_TILE);
  unsigned int *const counts = work + n, *const upto = counts + DIGITS * blocks;
  for (unsigned int shift = 0; shift < 32; shift += BITS) {
    unsigned int *const to = shift / BITS % 2 ? out : work; /* the last one writes out */
    count_digits<<<blocks, THREADS>>>(in, n, shift, counts);
    multi_block(counts, DIGITS * blocks, upto, upto + DIGITS * blocks);
    scatter_keys<<<blocks, THREADS>>>(in, n, shift, counts, upto, to);
    in = to;
  }
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 4 * sizeof(unsigned int));
  const size_t blocks = sort_blocks(sort_at_least(ladder.size), SORT_TILE);
  const size_t words = sort_at_least(ladder.size) + 3 * DIGITS * blocks + 64;
  sort_main(ladder.size + SORT_FEWEST, words, launch);
  return ladder_end();
}
