/* finish.cu - some thousand keys of those that are kept, gathered and searched by a block
 *
 * Result   heddle_rank_collect  a.small, of every finder that leads
 *          heddle_rank_finish   the keys of finders; those with more than RANK_SMALL keys look in the array
 * Defines  state.h's
 * Launch   heddle_rank_collect: any number of blocks; heddle_rank_finish: a block a finder */
#include "state.h"

HD_DEVICE bool is_small(const struct rank_finder *f) {
  return is_open(f, RANK_KEPT) && f->count <= RANK_SMALL;
}

/* All lanes arrive. */
HD_DEVICE void warp_collect(struct rank_finder *f, sort_key *small, sort_key x, bool in) {
  const u32 lanes = __ballot_sync(HD_ALL, in), lane = threadIdx.x % 32;
  u32 at = 0;
  if (!lanes) return;
  if (lane == 0) at = atomicAdd(&f->small, (u32)__popc(lanes));
  at = __shfl_sync(HD_ALL, at, 0) + (u32)__popc(lanes & ((1u << lane) - 1u));
  if (in) small[at] = x;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_collect(const __grid_constant__ struct rank_args a) {
  enum { AT_ONCE = 8 };
  struct rank_state *state = (struct rank_state *)a.state;
  __shared__ u32 leader[RANK_FINDERS];
  if (!state->kept) return;
  if (threadIdx.x < a.finders) {
    leader[threadIdx.x] = leader_of(state, threadIdx.x);
    if (blockIdx.x == 0) state->finder[threadIdx.x].leader = leader[threadIdx.x];
  }
  __syncthreads(); /* leaders are known */
  for (u32 i = 0; i < a.finders; i++) {
    struct rank_finder *f = &state->finder[i];
    if (!is_small(f) || leader[i] != i) continue;
    const sort_key low = (sort_key)f->low, width = (sort_key)(f->high - f->low);
    const sort_key *kept = (const sort_key *)a.kept + f->slot * a.room;
    sort_key *small = (sort_key *)a.small + i * RANK_SMALL;
    const u64 count = state->slot[f->slot].inside, step = (u64)gridDim.x * HEDDLE_THREADS * AT_ONCE;
    for (u64 first = (u64)blockIdx.x * HEDDLE_THREADS * AT_ONCE; first < count; first += step) {
      sort_key x[AT_ONCE];
#pragma unroll
      for (u32 j = 0; j < AT_ONCE; j++) {
        const u64 at = first + j * HEDDLE_THREADS + threadIdx.x;
        x[j] = at < count ? kept[at] : 0;
      }
#pragma unroll
      for (u32 j = 0; j < AT_ONCE; j++) {
        const bool there = first + j * HEDDLE_THREADS + threadIdx.x < count;
        warp_collect(f, small, x[j], there && (sort_key)(x[j] - low) <= width);
      }
    }
  }
}

/* ---- one block a finder ---------------------------------------------------------------------- */

struct finish {
  u32 bins[RANK_BINS];
  u64 sums[32];
  struct rank_finder finder;
  u32 last;
};

/* One pass over the leader's keys. All threads arrive. */
HD_DEVICE void block_pass(struct finish *b, const sort_key *small, u32 count) {
  const sort_key low = (sort_key)b->finder.low, width = (sort_key)(b->finder.high - b->finder.low);
  const u32 shift = shift_between(low, (sort_key)b->finder.high);
  const u64 rank = b->finder.rank - b->finder.below, high = b->finder.high;
  u64 mine[BINS_EACH], before, found;
  u32 bin;
  for (u32 i = threadIdx.x; i < RANK_BINS; i += HEDDLE_THREADS) b->bins[i] = 0;
  __syncthreads(); /* bins are zero */
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) {
    const sort_key x = small[i] - low;
    if (x <= width) atomicAdd(&b->bins[x >> shift], 1u);
  }
  __syncthreads(); /* all are counted */
  for (u32 i = 0; i < BINS_EACH; i++) mine[i] = b->bins[threadIdx.x * BINS_EACH + i];
  if (block_find_bin(mine, rank, b->sums, &bin, &before, &found)) {
    const u64 first = (u64)low + ((u64)bin << shift), end = first + (((u64)1 << shift) - 1);
    thread_narrow(&b->finder, first, end < high ? end : high, b->finder.below + before, found);
  }
  __syncthreads(); /* it is narrowed */
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_finish(const __grid_constant__ struct rank_args a) {
  __shared__ struct finish b;
  struct rank_state *state = (struct rank_state *)a.state;
  struct rank_finder *f = &state->finder[blockIdx.x];
  if (!state->kept) return;
  if (threadIdx.x == 0) b.finder = *f;
  __syncthreads(); /* the finder is there */
  if (is_small(&b.finder)) {
    const u32 leader = b.finder.leader;
    const sort_key *small = (const sort_key *)a.small + leader * RANK_SMALL;
    while (!b.finder.done) block_pass(&b, small, state->finder[leader].small);
  }
  if (threadIdx.x == 0) {
    f->low = b.finder.low, f->high = b.finder.high;
    f->below = b.finder.below;
    f->done = b.finder.done;
    f->source = RANK_ARRAY; /* where it looks if it is open */
  }
  if (block_is_last(state, &b.last) && threadIdx.x == 0) thread_count_open(state, a.finders);
}
