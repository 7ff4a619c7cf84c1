/* Sort 10: radix sort with ranks by match
 *
 * Idea     a pass sorts by eight bits. A warp takes 32 keys at a time: __match_any_sync tells
 *          each lane which lanes have its digit; the lanes before it among them are its rank,
 *          behind what the warp's counter of the digit holds, and the last of them adds them to the
 *          counter. Then each digit's counters are added up from warp to warp
 * Cost     4 passes of three launches and more; a pass reads each key twice and writes it once. 8 x
 *          257 counters a block instead of 16 a thread
 * Shows    how 256 piles fit: counters belong to warps, not to threads, and the lanes of a warp
 *          rank themselves without memory. No atomics in the ranks: atomics would give ranks in the
 *          order in which they happen to come (rung 16). Stable
 * Source   Ashkiani, Davidson, Meyer and Owens, GPU Multisplit, 2016; Adinets and Merrill 2022
 *
 * //! title: radix with ranks by match
 * //! expect: right
 */
#ifndef LADDER_PARTS
#define LADDER_PARTS
#define MATCH_MAIN
#endif
#include "../scan/07_multi_block.cu"
#include "sort.h"

enum {
  BITS = 8,
  DIGITS = 1 << BITS,
  WARPS = 8,
  THREADS = 32 * WARPS, /* as many as digits */
  ROWS = 4,             /* of 32 keys, a warp */
  SORT_TILE = THREADS * ROWS,
  NO_DIGIT = DIGITS, /* of a lane behind the end; has a counter like all others */
  ALL_DIGITS = DIGITS + 1
};

struct ranks {
  unsigned int counter[WARPS][ALL_DIGITS];
};

__device__ static unsigned int digit_of(unsigned int key, unsigned int shift) {
  return key >> shift & (DIGITS - 1);
}

/* Where row r of this warp's keys has this lane's, in the tile that begins at `first`. */
__device__ static size_t key_index(size_t first, unsigned int r) {
  return first + threadIdx.x / 32 * (32 * ROWS) + r * 32 + threadIdx.x % 32;
}

/* The thread's keys, and the rank of each among its warp's of one digit. All lanes must come; the
 * warp's counters are complete when they leave. */
__device__ static void rank_in_warp(const unsigned int *in, size_t n, size_t first,
                                    unsigned int shift, struct ranks *s, unsigned int *key,
                                    unsigned int *rank) {
  const unsigned int lane = threadIdx.x % 32;
  unsigned int *const counter = s->counter[threadIdx.x / 32];
  for (unsigned int d = lane; d < ALL_DIGITS; d += 32) counter[d] = 0;
  __syncwarp(0xffffffffu); /* the counters are zero */
  for (unsigned int r = 0; r < ROWS; ++r) {
    const size_t i = key_index(first, r);
    key[r] = i < n ? in[i] : 0;
    const unsigned int d = i < n ? digit_of(key[r], shift) : NO_DIGIT;
    const unsigned int same = __match_any_sync(0xffffffffu, d);
    const unsigned int before = (unsigned int)__popc(same & ((1u << lane) - 1));
    rank[r] = counter[d] + before;
    __syncwarp(0xffffffffu);                         /* all have read their counter */
    if (same >> lane == 1) counter[d] = rank[r] + 1; /* the last lane of its digit */
    __syncwarp(0xffffffffu);                         /* the counters hold this row, too */
    if (i < n) LADDER_READ(1);
    LADDER_STEP();
  }
}

/* Thread d: each warp's counter of digit d becomes the sum of those before it. Returns the tile's
 * keys of digit d. Warps have to have met behind rank_in_warp. */
__device__ static unsigned int add_warps(struct ranks *s) {
  unsigned int sum = 0;
  for (unsigned int w = 0; w < WARPS; ++w) {
    const unsigned int own = s->counter[w][threadIdx.x];
    s->counter[w][threadIdx.x] = sum;
    sum += own;
  }
  return sum;
}

/* counts[digit * blocks + block] */
__global__ void count_digits(const unsigned int *in, size_t n, unsigned int shift,
                             unsigned int *counts) {
  __shared__ unsigned int count[DIGITS];
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  count[threadIdx.x] = 0;
  __syncthreads(); /* the counters are zero */
  for (size_t i = first + threadIdx.x; i < n && i < first + SORT_TILE; i += THREADS) {
    atomicAdd(&count[digit_of(in[i], shift)], 1u);
    LADDER_READ(1);
    LADDER_SHARED_ATOMIC(1);
    LADDER_STEP();
  }
  __syncthreads(); /* the tile is counted */
  counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
  LADDER_WROTE(1);
}

/* Where the tile's keys of each digit begin: thread d, for digit d. */
__device__ static unsigned int tile_begin(const unsigned int *counts, const unsigned int *upto) {
  const unsigned int k = threadIdx.x * gridDim.x + blockIdx.x;
  LADDER_READ(2);
  return upto[k] - counts[k];
}

__global__ void scatter_keys(const unsigned int *in, size_t n, unsigned int shift,
                             const unsigned int *counts, const unsigned int *upto,
                             unsigned int *out) {
  __shared__ struct ranks s;
  __shared__ unsigned int begin[DIGITS];
  const size_t first = blockIdx.x * (size_t)SORT_TILE;
  unsigned int key[ROWS], rank[ROWS];
  rank_in_warp(in, n, first, shift, &s, key, rank);
  __syncthreads(); /* every warp has counted */
  begin[threadIdx.x] = tile_begin(counts, upto);
  add_warps(&s);
  __syncthreads(); /* every digit's places are there */
  for (unsigned int r = 0; r < ROWS; ++r) {
    if (key_index(first, r) >= n) continue;
    const unsigned int d = digit_of(key[r], shift);
    out[begin[d] + s.counter[threadIdx.x / 32][d] + rank[r]] = key[r];
    LADDER_WROTE(1);
    LADDER_WORK(1);
  }
}

/* work: n keys, counts, their scan, and the sums of the scan's blocks */
static inline void radix_sort(const unsigned int *in, size_t n, unsigned int *out,
                              unsigned int *work) {
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

#ifdef MATCH_MAIN /* rungs 11, 12 and 13 take the parts */
int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 12, 1 << 24, 4 * sizeof(unsigned int));
  const size_t blocks = sort_blocks(sort_at_least(ladder.size), SORT_TILE);
  const size_t words = sort_at_least(ladder.size) + 3 * DIGITS * blocks + 64;
  sort_main(ladder.size + SORT_FEWEST, words, radix_sort);
  return ladder_end();
}
#endif
