/* split.cu - one read of the array: what is below each interval is counted, what is in it is kept
 *
 * Result   counts of every slot, a.kept, and where every finder looks next
 * Defines  state.h's; HEDDLE_SLOTS: intervals of this launch, some of which may be there twice; HEDDLE_LOADS vectors of
 *          16 bytes a thread and tile; HEDDLE_BLOCKS an SM, at least
 * Launch   as many blocks as the device runs at once, or fewer
 * Memory   dynamic shared memory: HELD keys a thread and slot
 * Order    none shows: what is kept is a set
 * Method   Two comparisons an element and slot, of keys that take less work than those of the search and that an
 *          interval's ends are widened for: most are below or above. A thread has room for some of those that are
 *          inside; once one's is full its warp appends all, so that blocks seldom meet at the slot's count.
 *          Elements like the three keys of a slot are counted then, not kept: of data with few values most are.
 *          The last block to end tells the finders. */
#include "state.h"

#define SPLIT_WARPS (HEDDLE_THREADS / 32)
#define VECTOR (16 / HEDDLE_KEY_BYTES) /* elements */
#define TILE (HEDDLE_THREADS * HEDDLE_LOADS * VECTOR)
/* Keys that a thread gathers before they are appended, at least a vector's. */
#define HELD ((HEDDLE_SLOTS <= 2 ? 16u : HEDDLE_SLOTS <= 4 ? 12u : 6u) * 4 / HEDDLE_KEY_BYTES)

extern __shared__ uint4 shared[];

struct tally {
  u32 lows, middles, highs, first;
};
struct split {
  struct tally tally[HEDDLE_SLOTS];
  u64 below[HEDDLE_SLOTS], nans;
  sort_key low[HEDDLE_SLOTS], middle[HEDDLE_SLOTS], high[HEDDLE_SLOTS];
  u32 last;
};

/* A thread's part: what it compares with, keys apart, and what it has found. */
struct part {
  sort_key low[HEDDLE_SLOTS], width[HEDDLE_SLOTS], most;
  u32 below[HEDDLE_SLOTS], nans;
  u32 held[HEDDLE_SLOTS];
  sort_key *next[HEDDLE_SLOTS]; /* behind what is held */
};

/* The thread's keys of a slot, one every 32: lanes side by side. */
HD_DEVICE sort_key *held_of(u32 slot) {
  return (sort_key *)shared + (threadIdx.x / 32 * HEDDLE_SLOTS + slot) * HELD * 32 +
         threadIdx.x % 32;
}

HD_DEVICE void thread_tell(struct tally *to, struct tally own) {
  if (own.lows) atomicAdd(&to->lows, own.lows);
  if (own.middles) atomicAdd(&to->middles, own.middles);
  if (own.highs) atomicAdd(&to->highs, own.highs);
  if (own.first) atomicAdd(&to->first, own.first);
}

/* What is like a key of the slot is counted; the others are moved together: how many there are. */
HD_DEVICE u32 thread_sift(const struct rank_args *a, struct split *split, const struct part *part,
                          u32 s) {
  const sort_key low = split->low[s], middle = split->middle[s], high = split->high[s];
  struct tally own = {0, 0, 0, 0};
  sort_key *held = held_of(s);
  u32 kept = 0;
#pragma unroll 1
  for (u32 i = 0; i < part->held[s]; i++) {
    const sort_key x = key_joined(&a->map, held[32 * i]);
    if (x == low) {
      own.lows++;
    } else if (x == middle) {
      own.middles++;
    } else if (x == high) {
      own.highs++;
    } else {
      held[32 * kept++] = x;
      own.first += x < middle;
    }
  }
  thread_tell(&split->tally[s], own);
  return kept;
}

/* All lanes arrive. */
HD_DEVICE void warp_append(const struct rank_args *a, struct split *split, struct part *part,
                           u32 s) {
  struct rank_slot *slot = &((struct rank_state *)a->state)->slot[s];
  const u32 lane = threadIdx.x % 32, kept = thread_sift(a, split, part, s);
  u32 upto = kept;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    const u32 other = __shfl_up_sync(HD_ALL, upto, d);
    if (lane >= d) upto += other;
  }
  u64 at = 0;
  if (lane == 31 && upto) at = atomicAdd(&slot->inside, (u64)upto);
  at = __shfl_sync(HD_ALL, at, 31) + (upto - kept);
  sort_key *to = (sort_key *)a->kept + s * a->room;
#pragma unroll 1
  for (u32 i = 0; i < kept; i++)
    if (at + i < a->room) to[at + i] = held_of(s)[32 * i];
  part->held[s] = 0;
  part->next[s] = held_of(s);
}

HD_DEVICE void thread_split(const struct rank_args *a, struct part *part, key_bits bits,
                            bool there) {
  const sort_key x = key_apart(&a->map, bits);
#if HEDDLE_QUANTILES
  part->nans += there && x > part->most;
#endif
#pragma unroll
  for (u32 s = 0; s < HEDDLE_SLOTS; s++) {
    part->below[s] += there && x < part->low[s];
    if (there && (sort_key)(x - part->low[s]) <= part->width[s]) {
      *part->next[s] = x;
      part->next[s] += 32;
      part->held[s]++;
    }
  }
}

/* Room for a vector more. All lanes arrive. */
HD_DEVICE void warp_make_room(const struct rank_args *a, struct split *split, struct part *part) {
#pragma unroll
  for (u32 s = 0; s < HEDDLE_SLOTS; s++)
    if (__any_sync(HD_ALL, part->held[s] > HELD - VECTOR)) warp_append(a, split, part, s);
}

HD_DEVICE key_bits vector_bits(const uint4 *vector, u32 i) {
#if HEDDLE_KEY_BYTES == 8
  return i ? (u64)vector->w << 32 | vector->z : (u64)vector->y << 32 | vector->x;
#else
  return i == 0 ? vector->x : i == 1 ? vector->y : i == 2 ? vector->z : vector->w;
#endif
}

/* The whole tiles and then the rest, element by element; `head` elements lie before the first vector. */
HD_DEVICE void block_split(const struct rank_args *a, struct split *split, struct part *part) {
  const key_bits *in = (const key_bits *)a->in;
  const u64 off = a->in % 16 / HEDDLE_KEY_BYTES;
  const u64 head = !off ? 0 : VECTOR - off < a->count ? VECTOR - off : a->count;
  const u64 tiles = (a->count - head) / TILE;
  const uint4 *vectors = (const uint4 *)(in + head);
  for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
    uint4 vector[HEDDLE_LOADS];
#pragma unroll
    for (u32 i = 0; i < HEDDLE_LOADS; i++)
      vector[i] = load16(vectors + (t * HEDDLE_LOADS + i) * HEDDLE_THREADS + threadIdx.x);
#pragma unroll
    for (u32 i = 0; i < HEDDLE_LOADS; i++) {
#pragma unroll
      for (u32 j = 0; j < VECTOR; j++) thread_split(a, part, vector_bits(&vector[i], j), true);
      warp_make_room(a, split, part);
    }
  }
  const u64 rest = head + tiles * TILE, step = (u64)gridDim.x * HEDDLE_THREADS;
  const u64 lone =
      head + (a->count - rest); /* elements outside of tiles, fewer than TILE + VECTOR */
  for (u64 i = (u64)blockIdx.x * HEDDLE_THREADS; i < lone; i += step) {
    const u64 mine = i + threadIdx.x, at = mine < head ? mine : rest + (mine - head);
    thread_split(a, part, mine < lone ? in[at] : 0, mine < lone);
    warp_make_room(a, split, part);
  }
}

/* ---- finders --------------------------------------------------------------------------------- */

struct group {
  u64 count, low, high;
  u32 source;
};

/* Where the element of finder f is, by the counts of its slot. */
HD_DEVICE void thread_place(const struct rank_args *a, const struct rank_slot *s,
                            struct rank_finder *f) {
  const u32 kept = s->inside <= a->room ? RANK_KEPT : RANK_ARRAY;
  const u64 firsts = s->first, rest = s->inside - firsts;
  const struct group groups[7] = {
      {s->below, 0, s->low - 1, RANK_ARRAY},         {s->lows, s->low, s->low, RANK_ARRAY},
      {firsts, s->low + 1, s->middle - 1, kept},     {s->middles, s->middle, s->middle, RANK_ARRAY},
      {rest, s->middle + 1, s->high - 1, kept},      {s->highs, s->high, s->high, RANK_ARRAY},
      {HD_U64_MAX, s->high + 1, KEY_ALL, RANK_ARRAY}};
  u64 before = 0;
  u32 g = 0;
  while (g < 6 && f->rank - before >= groups[g].count) before += groups[g++].count;
  f->source = groups[g].source;
  thread_narrow(f, groups[g].low, groups[g].high, before, groups[g].count);
}

HD_DEVICE void thread_start(const struct rank_args *a, struct rank_state *state, u32 i) {
  struct rank_finder *f = &state->finder[i];
#if HEDDLE_QUANTILES
  struct hd_quantile_place place = {0, 0, 0};
  f->slot = i / 2;
  const bool is = place_of(a->method, a->skip, a->count, state->nans, a->share[f->slot], &place);
  f->rank = i % 2 ? place.upper : place.lower;
  f->done = !is;
  if (!is) return;
#else
  f->slot = i;
  f->rank = a->rank[i];
#endif
  thread_place(a, &state->slot[f->slot], f);
}

/* ---- the launch ------------------------------------------------------------------------------ */

HD_DEVICE void block_begin(const struct rank_args *a, struct split *split, struct part *part) {
  const struct rank_state *state = (const struct rank_state *)a->state;
  if (threadIdx.x < HEDDLE_SLOTS) {
    split->tally[threadIdx.x] = {0, 0, 0, 0};
    split->below[threadIdx.x] = 0;
    split->low[threadIdx.x] = (sort_key)state->slot[threadIdx.x].low;
    split->middle[threadIdx.x] = (sort_key)state->slot[threadIdx.x].middle;
    split->high[threadIdx.x] = (sort_key)state->slot[threadIdx.x].high;
  }
  if (threadIdx.x == 0) split->nans = 0;
  part->nans = 0;
  part->most = (sort_key)a->most;
#pragma unroll
  for (u32 s = 0; s < HEDDLE_SLOTS; s++) {
    const struct rank_slot *slot = &state->slot[s];
    part->low[s] = key_first(&a->map, (sort_key)slot->low);
    part->width[s] = key_last(&a->map, (sort_key)slot->high) - part->low[s];
    part->below[s] = part->held[s] = 0;
    part->next[s] = held_of(s);
  }
  __syncthreads(); /* counts are zero */
}

HD_DEVICE u32 warp_add(u32 x) {
  for (u32 d = 16; d; d /= 2) x += __shfl_xor_sync(HD_ALL, x, d);
  return x;
}

HD_DEVICE void block_end(const struct rank_args *a, struct split *split, struct part *part) {
  struct rank_state *state = (struct rank_state *)a->state;
#pragma unroll
  for (u32 s = 0; s < HEDDLE_SLOTS; s++) {
    warp_append(a, split, part, s);
    const u32 below = warp_add(part->below[s]);
    if (threadIdx.x % 32 == 0) atomicAdd(&split->below[s], (u64)below);
  }
  const u32 nans = warp_add(part->nans);
  if (threadIdx.x % 32 == 0) atomicAdd(&split->nans, (u64)nans);
  __syncthreads(); /* the block's counts are there */
  if (threadIdx.x < HEDDLE_SLOTS) {
    struct rank_slot *slot = &state->slot[threadIdx.x];
    const struct tally tally = split->tally[threadIdx.x];
    atomicAdd(&slot->below, split->below[threadIdx.x]);
    if (tally.lows) atomicAdd(&slot->lows, (u64)tally.lows);
    if (tally.middles) atomicAdd(&slot->middles, (u64)tally.middles);
    if (tally.highs) atomicAdd(&slot->highs, (u64)tally.highs);
    if (tally.first) atomicAdd(&slot->first, (u64)tally.first);
  }
  if (threadIdx.x == 0 && split->nans) atomicAdd(&state->nans, split->nans);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_rank_split(const __grid_constant__ struct rank_args a) {
  __shared__ struct split split;
  struct rank_state *state = (struct rank_state *)a.state;
  struct part part;
  block_begin(&a, &split, &part);
  block_split(&a, &split, &part);
  block_end(&a, &split, &part);
  if (!block_is_last(state, &split.last)) return;
  if (threadIdx.x < a.finders) thread_start(&a, state, threadIdx.x);
  __syncthreads(); /* finders know where to look */
  if (threadIdx.x == 0) thread_count_open(state, a.finders);
}
