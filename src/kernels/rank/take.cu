/* take.cu - elements up to the key of finder 0, the k-th, and their positions, in the order of positions
 *
 * Result   keys and positions: first those below its key, then as many that have it as k leaves room for
 * Defines  kernels/sort/key.h's; HEDDLE_SIEVED 1: only where a sieve has missed something, and to where it keeps
 *          elements; HEDDLE_POSITION_BYTES 4 or 8; HEDDLE_THREADS; HEDDLE_ITEMS of a thread and batch
 * Launch   any number of blocks, which draw tiles in turn
 * Memory   a word a tile: the state in the top two bits, 31 bits of elements below the key, 31 of those that have it,
 *          which stop at the largest number. Zero before. k is below 2^31
 * Waits    for tiles before it, which were drawn before; none of these waits for a later one
 * Order    stable
 * Method   A warp has RANK_TAKEN batches of elements and counts them, by vectors of 16 bytes where the array is aligned
 *          so. Where k is a small part of the array most batches have nothing; those that have are read again, by
 *          lines of 32 elements that follow each other. Keys are compared apart (kernels/sort/key.h), with the ends of
 *          those that are equal.
 * Source   Merrill and Garland 2016 (decoupled look-back) */
#include "kernels/sort/key.h"

#include "args.h" /* needs their types */

#if HEDDLE_POSITION_BYTES == 8
typedef u64 take_position;
#else
typedef u32 take_position;
#endif

#define TAKE_WARPS (HEDDLE_THREADS / 32)
#define TILE ((u64)HEDDLE_THREADS * HEDDLE_ITEMS * RANK_TAKEN)
#define VECTOR (16 / HEDDLE_KEY_BYTES) /* elements */
#define MOST 0x7fffffffu
enum { TOLD = 1, DONE = 2 }; /* a tile's own; with all before it */

struct counts {
  u32 below, same;
};

HD_DEVICE struct counts add(struct counts x, struct counts y) {
  const u32 same = x.same + y.same;
  return {x.below + y.below, same > MOST ? MOST : same};
}

HD_DEVICE void tile_tell(const struct rank_take_args *a, u64 tile, u64 state, struct counts c) {
  publish64((u64 *)a->told + tile, state << 62 | (u64)c.below << 31 | c.same);
}

HD_DEVICE struct counts warp_add(struct counts x) {
  for (u32 d = 16; d; d /= 2)
    x = add(x, {__shfl_xor_sync(HD_ALL, x.below, d), __shfl_xor_sync(HD_ALL, x.same, d)});
  return x;
}

/* What tiles before this one have, to all lanes, which arrive: 32 tiles at a time, up to one that knows all before
 * it. */
HD_DEVICE struct counts warp_before(const struct rank_take_args *a, u64 tile) {
  struct counts sum = {0, 0};
  const u32 lane = threadIdx.x % 32;
  while (tile) {
    const u64 word =
        lane < tile ? peek64((const u64 *)a->told + (tile - 1 - lane)) : (u64)DONE << 62;
    const u32 done = __ballot_sync(HD_ALL, word >> 62 == DONE);
    const u32 missing = __ballot_sync(HD_ALL, word >> 62 == 0);
    const u32 upto = done ? done ^ (done - 1) : HD_ALL; /* the lanes up to the first that is done */
    if (missing & upto) continue;
    struct counts told = {(u32)(word >> 31) & MOST, (u32)word & MOST};
    if (!(upto >> lane & 1)) told = {0, 0};
    sum = add(sum, warp_add(told));
    if (done) break;
    tile -= 32;
  }
  return sum;
}

struct take {
  struct counts warp[TAKE_WARPS], before;
  u32 tile;
};

/* All threads arrive: what is before the warp's elements, of which it has `mine`. */
HD_DEVICE struct counts block_before(const struct rank_take_args *a, struct take *t, u64 tile,
                                     struct counts mine) {
  if (threadIdx.x % 32 == 0) t->warp[threadIdx.x / 32] = mine;
  __syncthreads(); /* warps have counted */
  if (threadIdx.x < 32) {
    struct counts all = {0, 0};
    for (u32 w = 0; w < TAKE_WARPS; w++) all = add(all, t->warp[w]);
    if (tile && threadIdx.x == 0) tile_tell(a, tile, TOLD, all);
    const struct counts before = warp_before(a, tile);
    if (threadIdx.x == 0) {
      t->before = before;
      tile_tell(a, tile, DONE, add(before, all));
    }
  }
  __syncthreads(); /* what is before the tile is known */
  struct counts before = t->before;
  for (u32 w = 0; w < threadIdx.x / 32; w++) before = add(before, t->warp[w]);
  return before;
}

HD_DEVICE void thread_store(const struct rank_take_args *a, u64 slot, u64 at, key_bits bits) {
#if HEDDLE_SIEVED
  ((u64 *)a->keys)[slot] = (u64)key_of(&a->map, bits) << 32 | at;
#else
  ((key_bits *)a->keys)[slot] = bits;
  ((take_position *)a->positions)[slot] = (take_position)at;
#endif
}

/* The k-th's key, apart: its elements have those from `first` to `last`. */
struct wanted {
  sort_key first, last;
  bool vectors; /* the array begins at a multiple of 16 bytes */
};

/* Elements of a batch, of which `left` are there, in any order; of others, one of the greatest key. */
HD_DEVICE void warp_load(const struct rank_take_args *a, const struct wanted *w, u64 first,
                         u64 left, key_bits *bits) {
  const key_bits *in = (const key_bits *)a->in + first, none = bits_of(&a->map, KEY_ALL);
  const u32 lane = threadIdx.x % 32;
  if (HEDDLE_ITEMS % VECTOR == 0 && w->vectors && left >= 32 * HEDDLE_ITEMS) {
#pragma unroll
    for (u32 i = 0; i < HEDDLE_ITEMS / VECTOR; i++)
      *(uint4 *)(bits + i * VECTOR) = load16((const uint4 *)in + 32 * i + lane);
  } else {
#pragma unroll
    for (u32 i = 0; i < HEDDLE_ITEMS; i++)
      bits[i] = 32 * i + lane < left ? in[32 * i + lane] : none;
  }
}

/* How many of a batch are below the key, and like it. All lanes arrive. */
HD_DEVICE struct counts warp_count(const struct rank_take_args *a, const struct wanted *w,
                                   u64 first) {
  const u64 left = first < a->count ? a->count - first : 0;
  alignas(16) key_bits bits[HEDDLE_ITEMS];
  u32 below = 0, upto = 0;
  sort_key least = KEY_ALL;
  warp_load(a, w, first, left, bits);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const sort_key x = key_apart(&a->map, bits[i]);
    least = x < least ? x : least;
  }
  if (!__any_sync(HD_ALL, least <= w->last)) return {0, 0};
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const sort_key x = key_apart(&a->map, bits[i]);
    below += x < w->first;
    upto += x <= w->last;
  }
  u32 both = below << 16 | upto; /* of a warp fewer than 2^16 */
#pragma unroll
  for (u32 d = 16; d; d /= 2) both += __shfl_xor_sync(HD_ALL, both, d);
  const u32 none =
      w->last == KEY_ALL && left < 32 * HEDDLE_ITEMS ? 32 * HEDDLE_ITEMS - (u32)left : 0;
  return {both >> 16, (both & 0xffffu) - (both >> 16) - none};
}

/* A batch behind `at`, which moves on. All lanes arrive. */
HD_DEVICE void warp_store(const struct rank_take_args *a, const struct wanted *w, u64 first,
                          u64 below, struct counts *at) {
  const u32 lane = threadIdx.x % 32, lower = (1u << lane) - 1u;
#pragma unroll 4
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const u64 own = first + 32 * i + lane;
    const key_bits bits = own < a->count ? ((const key_bits *)a->in)[own] : 0;
    const sort_key x = key_apart(&a->map, bits);
    const bool upto = own < a->count && x <= w->last;
    if (!__any_sync(HD_ALL, upto)) continue;
    const u32 less = __ballot_sync(HD_ALL, upto && x < w->first);
    const u32 same = __ballot_sync(HD_ALL, upto && x >= w->first);
    if (upto && x < w->first) thread_store(a, at->below + (u32)__popc(less & lower), own, bits);
    if (upto && x >= w->first && below + at->same + (u32)__popc(same & lower) < a->k)
      thread_store(a, below + at->same + (u32)__popc(same & lower), own, bits);
    *at = add(*at, {(u32)__popc(less), (u32)__popc(same)});
  }
}

HD_DEVICE void block_take(const struct rank_take_args *a, struct take *t, u64 tile,
                          const struct wanted *w, u64 below) {
  const u64 first = tile * TILE + threadIdx.x / 32 * 32 * HEDDLE_ITEMS * RANK_TAKEN;
  struct counts mine = {0, 0};
  u32 some = 0; /* batches that have something */
#pragma unroll 1
  for (u32 i = 0; i < RANK_TAKEN; i++) {
    const struct counts c = warp_count(a, w, first + i * 32 * HEDDLE_ITEMS);
    some |= (u32)(c.below || c.same) << i;
    mine = add(mine, c);
  }
  struct counts at = block_before(a, t, tile, mine);
  if (!mine.below && (!mine.same || below + at.same >= a->k)) return;
#pragma unroll 1
  for (u32 i = 0; i < RANK_TAKEN; i++)
    if (some >> i & 1) warp_store(a, w, first + i * 32 * HEDDLE_ITEMS, below, &at);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_take(const __grid_constant__ struct rank_take_args a) {
  __shared__ struct take t;
  const struct rank_state *state = (const struct rank_state *)a.state;
  const struct rank_finder *f = &state->finder[0];
  if (HEDDLE_SIEVED && !state->missed) return;
  const sort_key key = (sort_key)f->low;
  const struct wanted w = {key_first(&a.map, key), key_last(&a.map, key), a.in % 16 == 0};
  const u64 below = f->below, tiles = (a.count + TILE - 1) / TILE;
  for (;;) {
    if (threadIdx.x == 0) t.tile = atomicAdd((u32 *)a.ticket, 1u);
    __syncthreads(); /* a tile is drawn */
    const u32 tile = t.tile;
    if (tile >= tiles) return;
    block_take(&a, &t, tile, &w, below);
    __syncthreads(); /* all have done with it */
  }
}
