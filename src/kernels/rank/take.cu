/* take.cu - elements up to the key of finder 0, the k-th, and their positions, in the order of positions
 *
 * Result   keys and positions: first those below its key, then as many that have it as k leaves room for
 * Defines  kernels/sort/key.h's; HEDDLE_POSITION_BYTES 4 or 8; HEDDLE_THREADS; HEDDLE_ITEMS of a thread and batch
 * Launch   any number of blocks, which draw tiles in turn
 * Memory   a word a tile: the state in the top two bits, 31 bits of elements below the key, 31 of those that have it,
 *          which stop at the largest number. Zero before. k is below 2^31
 * Waits    for tiles before it, which were drawn before; none of these waits for a later one
 * Order    stable
 * Method   A warp has lines of 32 elements that follow each other, RANK_TAKEN batches of them, and counts them by
 *          votes. Where k is a small part of the array most batches have nothing; those that have are read again.
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
  ((key_bits *)a->keys)[slot] = bits;
  ((take_position *)a->positions)[slot] = (take_position)at;
}

/* A batch of the warp, from the lane's element `first` on. */
struct batch {
  key_bits bits[HEDDLE_ITEMS];
  u32 there; /* the lane's elements are those i with 32 * i below it */
};

HD_DEVICE struct batch thread_load_batch(const struct rank_take_args *a, u64 first) {
  const key_bits *in = (const key_bits *)a->in + first;
  const u64 left = first < a->count ? a->count - first : 0;
  struct batch b;
  b.there = left < 32 * HEDDLE_ITEMS ? (u32)left : 32 * HEDDLE_ITEMS;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) b.bits[i] = 32 * i < b.there ? in[32 * i] : 0;
  return b;
}

/* How many of the batch are below the key, and like it. All lanes arrive. */
HD_DEVICE struct counts warp_count(const struct rank_take_args *a, const struct batch *b,
                                   sort_key key) {
  struct counts c = {0, 0};
  bool any = false;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    any = any || (32 * i < b->there && key_of(&a->map, b->bits[i]) <= key);
  if (!__any_sync(HD_ALL, any)) return c;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const bool there = 32 * i < b->there;
    const sort_key x = key_of(&a->map, b->bits[i]);
    c.below += (u32)__popc(__ballot_sync(HD_ALL, there && x < key));
    c.same += (u32)__popc(__ballot_sync(HD_ALL, there && x == key));
  }
  return c;
}

/* The batch behind `at`, which moves on. All lanes arrive. */
HD_DEVICE void warp_store(const struct rank_take_args *a, const struct batch *b, u64 first,
                          sort_key key, u64 below, struct counts *at) {
  const u32 lower = (1u << threadIdx.x % 32) - 1u;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const bool there = 32 * i < b->there;
    const sort_key x = key_of(&a->map, b->bits[i]);
    const u32 less = __ballot_sync(HD_ALL, there && x < key);
    const u32 same = __ballot_sync(HD_ALL, there && x == key);
    if (there && x < key)
      thread_store(a, at->below + (u32)__popc(less & lower), first + 32 * i, b->bits[i]);
    if (there && x == key && below + at->same + (u32)__popc(same & lower) < a->k)
      thread_store(a, below + at->same + (u32)__popc(same & lower), first + 32 * i, b->bits[i]);
    *at = add(*at, {(u32)__popc(less), (u32)__popc(same)});
  }
}

HD_DEVICE void block_take(const struct rank_take_args *a, struct take *t, u64 tile, sort_key key,
                          u64 below) {
  const u64 first =
      tile * TILE + threadIdx.x / 32 * 32 * HEDDLE_ITEMS * RANK_TAKEN + threadIdx.x % 32;
  struct counts mine = {0, 0};
  u32 some = 0; /* batches that have something */
#pragma unroll 1
  for (u32 i = 0; i < RANK_TAKEN; i++) {
    const struct batch b = thread_load_batch(a, first + i * 32 * HEDDLE_ITEMS);
    const struct counts c = warp_count(a, &b, key);
    some |= (u32)(c.below || c.same) << i;
    mine = add(mine, c);
  }
  struct counts at = block_before(a, t, tile, mine);
  if (!mine.below && (!mine.same || below + at.same >= a->k)) return;
#pragma unroll 1
  for (u32 i = 0; i < RANK_TAKEN; i++) {
    if (!(some >> i & 1)) continue;
    const u64 own = first + i * 32 * HEDDLE_ITEMS;
    const struct batch b = thread_load_batch(a, own);
    warp_store(a, &b, own, key, below, &at);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_take(const __grid_constant__ struct rank_take_args a) {
  __shared__ struct take t;
  const struct rank_finder *f = &((const struct rank_state *)a.state)->finder[0];
  const sort_key key = (sort_key)f->low;
  const u64 below = f->below, tiles = (a.count + TILE - 1) / TILE;
  for (;;) {
    if (threadIdx.x == 0) t.tile = atomicAdd((u32 *)a.ticket, 1u);
    __syncthreads(); /* a tile is drawn */
    const u32 tile = t.tile;
    if (tile >= tiles) return;
    block_take(&a, &t, tile, key, below);
    __syncthreads(); /* all have done with it */
  }
}
