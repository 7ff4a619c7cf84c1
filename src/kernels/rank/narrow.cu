/* narrow.cu - finders look among fewer keys: one counting pass over what is kept, or over the array
 *
 * Result   low, high and below of every open finder whose source is a.source: one of RANK_BINS parts of what
 *          they were
 * Defines  state.h's
 * Launch   any number of blocks; where no finder needs it, all of them leave at once
 * Method   Keys less `low` are counted by their highest bits, once for finders that look for the same. Where fewer
 *          than RANK_SMALL keys remain, finish.cu is quicker than another pass over what is kept. The last block to
 *          end finds every finder's bin.
 * Source   Alabi et al. 2012 (fast k-selection on GPUs: radix select) */
#include "state.h"

struct narrow {
  u32 bins[RANK_BINS];
  u64 sums[32];
  u32 last;
};

HD_DEVICE bool is_wanted(const struct rank_args *a, const struct rank_finder *f) {
  return is_open(f, a->source) && (a->source == RANK_ARRAY || f->count > RANK_SMALL);
}

HD_DEVICE void count_key(struct narrow *n, sort_key x, sort_key low, sort_key width, u32 shift) {
  x -= low;
  if (x <= width) atomicAdd(&n->bins[x >> shift], 1u);
}

/* ---- what is counted ------------------------------------------------------------------------- */

enum { AT_ONCE = 8 }; /* loads of a thread on their way */

/* All keys from `low` to `high` of finder f's slot, or of the array, by all threads of all blocks. */
HD_DEVICE void grid_count(const struct rank_args *a, struct narrow *n,
                          const struct rank_finder *f) {
  const struct rank_state *state = (const struct rank_state *)a->state;
  const bool array = a->source == RANK_ARRAY;
  const sort_key low = (sort_key)f->low, width = (sort_key)(f->high - f->low);
  const u32 shift = shift_between(low, (sort_key)f->high);
  const sort_key *kept = (const sort_key *)a->kept + f->slot * a->room;
  const key_bits *in = (const key_bits *)a->in;
  const u64 count = array ? a->count : state->slot[f->slot].inside;
  const u64 step = (u64)gridDim.x * HEDDLE_THREADS * AT_ONCE;
  u64 at = (u64)blockIdx.x * HEDDLE_THREADS * AT_ONCE + threadIdx.x;
  for (; at + (AT_ONCE - 1) * HEDDLE_THREADS < count; at += step) {
    sort_key x[AT_ONCE];
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++)
      x[i] = array ? in[at + i * HEDDLE_THREADS] : kept[at + i * HEDDLE_THREADS];
#pragma unroll
    for (u32 i = 0; i < AT_ONCE; i++)
      count_key(n, array ? key_of(&a->map, (key_bits)x[i]) : x[i], low, width, shift);
  }
  for (u32 i = 0; i < AT_ONCE; i++, at += HEDDLE_THREADS)
    if (at < count) count_key(n, array ? key_of(&a->map, in[at]) : kept[at], low, width, shift);
}

/* For finder f, which leads. All threads arrive. */
HD_DEVICE void block_count(const struct rank_args *a, struct narrow *n, u32 f) {
  const struct rank_state *state = (const struct rank_state *)a->state;
  u64 *bins = (u64 *)a->bins + f * RANK_BINS;
  for (u32 i = threadIdx.x; i < RANK_BINS; i += HEDDLE_THREADS) n->bins[i] = 0;
  __syncthreads(); /* bins are zero */
  grid_count(a, n, &state->finder[f]);
  __syncthreads(); /* all are counted */
  for (u32 i = threadIdx.x; i < RANK_BINS; i += HEDDLE_THREADS)
    if (n->bins[i]) memory_add64(bins + i, n->bins[i]);
  __syncthreads(); /* bins may be written again */
}

/* ---- what follows ---------------------------------------------------------------------------- */

/* All threads arrive. */
HD_DEVICE void block_narrow(const struct rank_args *a, struct narrow *n, u32 f, u32 leader) {
  struct rank_finder *finder = &((struct rank_state *)a->state)->finder[f];
  const u64 *bins = (const u64 *)a->bins + leader * RANK_BINS + threadIdx.x * BINS_EACH;
  const u32 shift = shift_between((sort_key)finder->low, (sort_key)finder->high);
  const u64 rank = finder->rank - finder->below, high = finder->high;
  u64 mine[BINS_EACH], before, count;
  u32 bin;
  for (u32 i = 0; i < BINS_EACH; i++) mine[i] = peek64(bins + i);
  if (!block_find_bin(mine, rank, n->sums, &bin, &before, &count)) return;
  const u64 low = finder->low + ((u64)bin << shift), end = low + (((u64)1 << shift) - 1);
  thread_narrow(finder, low, end < high ? end : high, finder->below + before, count);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_narrow(const __grid_constant__ struct rank_args a) {
  __shared__ struct narrow n;
  __shared__ u32 leader[RANK_FINDERS];
  struct rank_state *state = (struct rank_state *)a.state;
  if (a.source == RANK_ARRAY ? !state->open : !state->kept) return;
  if (threadIdx.x < a.finders)
    leader[threadIdx.x] =
        is_wanted(&a, &state->finder[threadIdx.x]) ? leader_of(state, threadIdx.x) : RANK_NOTHING;
  if (!__syncthreads_or(threadIdx.x < a.finders && leader[threadIdx.x] != RANK_NOTHING))
    return; /* leaders are known */
  for (u32 f = 0; f < a.finders; f++)
    if (leader[f] == f) block_count(&a, &n, f);
  if (!block_is_last(state, &n.last)) return;
  for (u32 f = 0; f < a.finders; f++)
    if (leader[f] != RANK_NOTHING) block_narrow(&a, &n, f, leader[f]);
  __syncthreads(); /* finders are narrowed, bins are read */
  for (u32 i = threadIdx.x; i < a.finders * RANK_BINS; i += HEDDLE_THREADS) ((u64 *)a.bins)[i] = 0;
  if (threadIdx.x) return;
  if (a.source == RANK_ARRAY) state->passes++;
  thread_count_open(state, a.finders);
}
