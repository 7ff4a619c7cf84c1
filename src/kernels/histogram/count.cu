/* count.cu - how many elements fall into each bin
 *
 * Result   totals[i] += the elements that counter i counts; with a.finish the output itself
 * Defines  HEDDLE_TYPE, HEDDLE_KEY, HEDDLE_STRATEGY (find.h), HEDDLE_WHERE (counters.h),
 *          HEDDLE_CHANNELS 1 to 4, HEDDLE_THREADS, HEDDLE_BLOCKS (an SM, at least), HEDDLE_COPIES 1
 *          or, with HD_WHERE_SHARED, up to 32: so many copies of a counter lie side by side, and a
 *          lane takes the one of its number; HEDDLE_VECTORS: loads of 16 bytes in flight a thread;
 *          HEDDLE_AHEAD 1: so many more are under way while these are counted; HEDDLE_HALVES 1: two
 *          counters a word (halves.h)
 * Launch   any number of blocks of HEDDLE_THREADS; HD_WHERE_RANGES: a multiple of a.ranges
 * Memory   dynamic shared memory: counters (counters_words()), then for HD_STRATEGY_BUCKETS, from
 *          an even word on, the buckets and edges
 * Order    none shows: integers
 * Method   Blocks take tiles in turn. A thread finds the ranks of all elements of its loads without
 *          a branch and counts them by atomic additions in shared memory, but for doubtful ones;
 *          those it settles together afterwards, so that a warp waits once for them.
 * Source   docs/histogram.md */
#include "order/device/element.h"

#include "args.h"

#if HEDDLE_STRATEGY == HD_STRATEGY_INTEGER
#include "integer.h"
#else
#include "find.h"
#endif

#include "counters.h"
#include "finish.h"

#define PER (16 / ELEMENT_BYTES)    /* elements a load */
#define STEP (HEDDLE_THREADS * PER) /* elements between a thread's loads */

/* What a thread needs of its block. */
struct hist_block {
  struct hist_share share;
  u32 *shared;   /* all counters */
  u32 *counters; /* this lane's copy of them */
  u32 *buckets;
};

/* Counters become zero, and buckets come; all threads arrive. */
HD_DEVICE void block_begin(const struct hist_args *a, const struct hist_block *b) {
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  counters_clear(&b->share, b->shared);
#endif
  buckets_load(a, b->buckets);
  __syncthreads(); /* counters are zero, buckets are there */
}

/* The number of the counter, which goes by rank. */
HD_DEVICE u32 cell_of(const struct hist_args *a, u32 rank, u32 channel) {
#if HEDDLE_CHANNELS == 1
  (void)a, (void)channel;
  return rank;
#else
  return rank + channel % HEDDLE_CHANNELS * a->slots;
#endif
}

/* The channel of element i of this launch. */
HD_DEVICE u32 channel_of(const struct hist_args *a, u64 i) {
#if HEDDLE_CHANNELS == 1
  (void)a, (void)i;
  return 0;
#else
  return (u32)((a->first_channel + i) % HEDDLE_CHANNELS);
#endif
}

HD_DEVICE void count_one(const struct hist_args *a, const struct hist_block *b, u64 i) {
  key x = to_key(((const element *)a->in)[i]);
  u32 rank = settle_rank(&a->find, x);
  counters_one(a, &b->share, b->counters, cell_of(a, rank, channel_of(a, i)));
}

HD_DEVICE void load_batch(const struct hist_args *a, u64 first, int vectors, u32 (*words)[4]) {
  const element *from = (const element *)a->in + first;
#pragma unroll
  for (int k = 0; k < vectors; k++) load_words(from + (u64)k * STEP, 16, 16, words[k]);
}

/* Elements first + k * STEP + j for k < vectors, j < PER. whole: all threads of the block arrive. */
HD_DEVICE void block_count_batch(const struct hist_args *a, const struct hist_block *b, u64 first,
                                 int vectors, u32 (*words)[4], bool whole) {
  const u32 channel = channel_of(a, first);
#pragma unroll
  for (int k = 0; k < vectors; k++) {
    key x[PER];
    u32 found[PER];
#pragma unroll
    for (int j = 0; j < PER; j++) x[j] = to_key(word_element(words[k], j));
    find_ranks(&a->find, b->buckets, x, found, PER);
#pragma unroll
    for (int j = 0; j < PER; j++) found[j] = cell_of(a, rank_of(found[j]), channel + k * STEP + j);
#if HEDDLE_HALVES
    warp_count_pack(a, &b->share, b->counters, found, PER, whole);
#else
    (void)whole;
#pragma unroll
    for (int j = 0; j < PER; j++) counters_one(a, &b->share, b->counters, found[j]);
#endif
  }
#if HEDDLE_HALVES
  static_assert(STEP * HEDDLE_VECTORS <= 1 << 14, "halves.h");
  if (whole) block_halves_barrier();
#endif
}

/* Tiles of HEDDLE_VECTORS loads a thread; returns the first element behind them. The block begins
 * while its first tile is under way. */
HD_DEVICE u64 block_count_tiles(const struct hist_args *a, const struct hist_block *b, u64 head) {
  const u64 tile = (u64)STEP * HEDDLE_VECTORS, tiles = (a->count - head) / tile;
  if (tiles < b->share.members) {
    block_begin(a, b);
    return head;
  }
  const u64 mine = head + threadIdx.x * PER, step = b->share.members;
  u32 words[HEDDLE_VECTORS][4];
#if HEDDLE_AHEAD
  u32 next[HEDDLE_VECTORS][4];
  u64 t = b->share.member;
  load_batch(a, mine + t * tile, HEDDLE_VECTORS, words);
  block_begin(a, b);
  for (; t < tiles; t += step) {
    if (t + step < tiles) load_batch(a, mine + (t + step) * tile, HEDDLE_VECTORS, next);
    block_count_batch(a, b, mine + t * tile, HEDDLE_VECTORS, words, true);
#pragma unroll
    for (int k = 0; k < HEDDLE_VECTORS; k++)
#pragma unroll
      for (int j = 0; j < 4; j++) words[k][j] = next[k][j];
  }
#else
  block_begin(a, b);
  for (u64 t = b->share.member; t < tiles; t += step) {
    load_batch(a, mine + t * tile, HEDDLE_VECTORS, words);
    block_count_batch(a, b, mine + t * tile, HEDDLE_VECTORS, words, true);
  }
#endif
  return head + tiles * tile;
}

HD_DEVICE void block_count_all(const struct hist_args *a, const struct hist_block *b) {
  u64 head = (0 - a->in) % 16 / ELEMENT_BYTES; /* elements before the first aligned load */
  if (head > a->count) head = a->count;
  u64 from = block_count_tiles(a, b, head);
  const u64 ends = head + (a->count - head) / PER * PER; /* whole loads end here */
  /* Less than a tile, or of few elements about one a block: HEDDLE_HALVES needs no barrier. */
  u32 words[1][4];
  for (u64 i = from + (b->share.member * HEDDLE_THREADS + threadIdx.x) * (u64)PER; i < ends;
       i += b->share.members * (u64)STEP) {
    load_batch(a, i, 1, words);
    block_count_batch(a, b, i, 1, words, false);
  }
  if (b->share.member) return;
  if (threadIdx.x < head) count_one(a, b, threadIdx.x);
  if (threadIdx.x < a->count - ends) count_one(a, b, ends + threadIdx.x);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_histogram_count(const __grid_constant__ struct hist_args a) {
  extern __shared__ u32 shared[];
  struct hist_block b;
  b.share = share_of(&a);
  b.shared = shared;
  b.counters = shared + warp_copy(HEDDLE_COPIES);
  b.buckets = shared + ((counters_words(a.span) + 1) & ~1u);
  block_count_all(&a, &b);
#if HEDDLE_WHERE != HD_WHERE_GLOBAL
  __syncthreads(); /* all is counted */
  counters_flush(&a, &b.share, shared);
#endif
  if (a.finish) block_finish(&a);
}
