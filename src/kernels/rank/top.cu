/* top.cu - the first elements of rows, a warp a row: at most as many as a warp has lanes
 *
 * Result   out[r * k + i] and index[r * k + i] of row r, i < k, where they are wanted; k is at most 32
 * Defines  kernels/sort/key.h's; HEDDLE_INDEX_BYTES 4 or 8; HEDDLE_THREADS; HEDDLE_ITEMS a lane at once
 * Launch   any number of blocks
 * Memory   QUEUE entries a warp
 * Limits   rows of less than 2^32 elements
 * Order    equal elements by position
 * Method   Lanes hold the first elements so far, one each, in order. Of the next 32 * HEDDLE_ITEMS elements each lane
 *          finds its least: none beyond the k-th of these can be among the first k. What is left, some more than k
 *          of random elements, is queued, and 32 at a time sorted and merged by networks, whose text stands
 *          twice in all: unrolled over items it would not fit a cache of instructions. Where many are equal, the
 *          elements are looked at again, 32 at a time.
 * Source   Batcher 1968 (bitonic merging) */
#include "kernels/sort/key.h"

#include "args.h" /* needs their types */

#if HEDDLE_INDEX_BYTES == 8
typedef u64 rank_index;
#else
typedef u32 rank_index;
#endif

#define WARPS (HEDDLE_THREADS / 32)
#define TOP_BLOCKS 2 /* of a multiprocessor */
enum {
  QUEUE = HEDDLE_ITEMS < 8 ? 64 : 128
}; /* what remains of the last 32, and what a batch adds */

/* An element by key and position, which is less than no other one's. */
#if HEDDLE_KEY_BYTES == 8
struct rank_entry {
  u64 key;
  u32 at;
};
HD_DEVICE rank_entry entry_of(sort_key key, u32 at) { return {key, at}; }
HD_DEVICE sort_key entry_key(rank_entry x) { return x.key; }
HD_DEVICE u32 entry_at(rank_entry x) { return x.at; }
HD_DEVICE bool is_less(rank_entry x, rank_entry y) {
  return x.key < y.key || (x.key == y.key && x.at < y.at);
}
HD_DEVICE rank_entry warp_entry_from(rank_entry x, u32 lanes) {
  return {__shfl_xor_sync(HD_ALL, x.key, lanes), __shfl_xor_sync(HD_ALL, x.at, lanes)};
}
#else
typedef u64 rank_entry;
HD_DEVICE rank_entry entry_of(sort_key key, u32 at) { return (u64)key << 32 | at; }
HD_DEVICE sort_key entry_key(rank_entry x) { return (u32)(x >> 32); }
HD_DEVICE u32 entry_at(rank_entry x) { return (u32)x; }
HD_DEVICE bool is_less(rank_entry x, rank_entry y) { return x < y; }
HD_DEVICE rank_entry warp_entry_from(rank_entry x, u32 lanes) {
  return __shfl_xor_sync(HD_ALL, x, lanes);
}
#endif
#define NO_ENTRY entry_of((sort_key)HD_U64_MAX, 0xffffffffu)

/* ---- networks over the lanes; all lanes arrive ----------------------------------------------- */

/* The lesser of this lane's and that of lane ^ lanes, or the greater. */
HD_DEVICE rank_entry warp_keep(rank_entry x, u32 lanes, bool lesser) {
  const rank_entry other = warp_entry_from(x, lanes);
  return is_less(other, x) == lesser ? other : x;
}

/* A bitonic sequence in order. */
HD_DEVICE rank_entry warp_merge(rank_entry x) {
  const u32 lane = threadIdx.x % 32;
#pragma unroll
  for (u32 d = 16; d; d /= 2) x = warp_keep(x, d, !(lane & d));
  return x;
}

/* All but the last merge of a sort go up and down by turns. */
HD_DEVICE rank_entry warp_sort(rank_entry x) {
  const u32 lane = threadIdx.x % 32;
#pragma unroll
  for (u32 size = 2; size < 32; size *= 2)
#pragma unroll
    for (u32 d = size / 2; d; d /= 2) x = warp_keep(x, d, !(lane & d) == !(lane & size));
  return warp_merge(x);
}

/* The k-th of the lanes' keys, counted from 1. */
HD_DEVICE sort_key warp_find_key(sort_key x, u32 k) {
  const u32 lane = threadIdx.x % 32;
#pragma unroll
  for (u32 size = 2; size <= 32; size *= 2)
#pragma unroll
    for (u32 d = size / 2; d; d /= 2) {
      const sort_key other = __shfl_xor_sync(HD_ALL, x, d);
      x = (other < x) == (!(lane & d) == !(lane & size & 31)) ? other : x;
    }
  return __shfl_sync(HD_ALL, x, k - 1);
}

/* ---- a row ----------------------------------------------------------------------------------- */

struct first {
  rank_entry mine; /* the lane's of the first so far */
  sort_key last;   /* the k-th one's key */
  bool some, full; /* there are any; there are k */
  u32 queued;
};

/* 32 of the queue, or what there is, join. All lanes arrive. */
HD_DEVICE void warp_join(struct first *f, const rank_entry *queue, u32 k) {
  const u32 lane = threadIdx.x % 32, n = f->queued < 32 ? f->queued : 32;
  __syncwarp(); /* the queue is written */
  f->queued -= n;
  rank_entry x = lane < n ? queue[f->queued + lane] : NO_ENTRY;
  __syncwarp(); /* and read */
  x = warp_sort(x);
  if (f->some) {
    /* Against the other one's reverse, the lesser of each pair are the first 32 of both, and bitonic. */
    const rank_entry other = warp_entry_from(x, 31);
    x = warp_merge(is_less(other, f->mine) ? other : f->mine);
  }
  f->mine = x, f->some = true;
  f->last = __shfl_sync(HD_ALL, entry_key(x), k - 1);
  f->full = __shfl_sync(HD_ALL, entry_at(x), k - 1) != 0xffffffffu;
}

/* Elements of a batch as warp_take has them, of which more than the queue holds may be among the first. */
HD_DEVICE void warp_take_many(const struct rank_top_args *a, struct first *f, rank_entry *queue,
                              const key_bits *row, u64 length, u64 first, sort_key bound) {
  const u32 lane = threadIdx.x % 32, lower = (1u << lane) - 1u;
#pragma unroll 1
  for (u32 i = 0; i < HEDDLE_ITEMS && first + 32 * i < length; i++) {
    const u64 at = first + 32 * i + lane;
    const sort_key x = key_of(&a->map, at < length ? row[at] : 0);
    const bool is = at < length && x <= bound && (!f->full || x < f->last);
    const u32 lanes = __ballot_sync(HD_ALL, is);
    if (is) queue[f->queued + (u32)__popc(lanes & lower)] = entry_of(x, (u32)at);
    f->queued += (u32)__popc(lanes);
    if (f->queued >= 32) warp_join(f, queue, (u32)a->k);
  }
}

/* How many the lanes before this one have, and all. */
HD_DEVICE u32 warp_before(u32 count, u32 *all) {
  u32 sum = count;
#pragma unroll
  for (u32 d = 1; d < 32; d *= 2) {
    const u32 other = __shfl_up_sync(HD_ALL, sum, d);
    if (threadIdx.x % 32 >= d) sum += other;
  }
  *all = __shfl_sync(HD_ALL, sum, 31);
  return sum - count;
}

/* Elements first to first + 32 * HEDDLE_ITEMS - 1 of a row, as far as they are there; after the last of them nothing is
 * queued. All lanes arrive. */
HD_DEVICE void warp_take(const struct rank_top_args *a, struct first *f, rank_entry *queue,
                         const key_bits *row, u64 length, u64 first) {
  const u32 lane = threadIdx.x % 32, k = (u32)a->k;
  const u64 left = length - first;
  sort_key x[HEDDLE_ITEMS], least = (sort_key)HD_U64_MAX;
  u32 mine = 0, all;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    x[i] = 32 * i + lane < left ? (sort_key)row[first + 32 * i + lane] : 0;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    x[i] = key_of(&a->map, (key_bits)x[i]);
    if (32 * i + lane < left) least = least < x[i] ? least : x[i];
  }
  if (!f->full || __any_sync(HD_ALL, least < f->last)) {
    const sort_key bound = warp_find_key(least, k);
#pragma unroll
    for (u32 i = 0; i < HEDDLE_ITEMS; i++)
      if (32 * i + lane < left && x[i] <= bound && (!f->full || x[i] < f->last)) mine |= 1u << i;
    u32 to = f->queued + warp_before((u32)__popc(mine), &all);
    if (f->queued + all <= QUEUE) {
#pragma unroll
      for (u32 i = 0; i < HEDDLE_ITEMS; i++)
        if (mine >> i & 1) queue[to++] = entry_of(x[i], (u32)first + 32 * i + lane);
      f->queued += all;
    } else
      warp_take_many(a, f, queue, row, length, first, bound);
  }
  const u32 enough = left > 32 * HEDDLE_ITEMS ? 32 : 1;
#pragma unroll 1
  while (f->queued >= enough) warp_join(f, queue, k);
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, TOP_BLOCKS)
    heddle_rank_top(const __grid_constant__ struct rank_top_args a) {
  __shared__ rank_entry queues[WARPS][QUEUE];
  const u32 lane = threadIdx.x % 32;
  rank_entry *queue = queues[threadIdx.x / 32];
  const u64 *offsets = (const u64 *)a.offsets, step = (u64)gridDim.x * WARPS;
  for (u64 r = (u64)blockIdx.x * WARPS + threadIdx.x / 32; r < a.rows; r += step) {
    const u64 start = offsets ? offsets[r] - a.first : r * a.length;
    const u64 length = offsets ? offsets[r + 1] - offsets[r] : a.length;
    const key_bits *row = (const key_bits *)a.in + start;
    struct first f = {NO_ENTRY, 0, false, false, 0};
    for (u64 first = 0; first < length; first += 32 * HEDDLE_ITEMS)
      warp_take(&a, &f, queue, row, length, first);
    if (lane >= a.k) continue;
    const u32 at = entry_at(f.mine);
    if (a.out) ((key_bits *)a.out)[r * a.k + lane] = row[at];
    if (a.index) ((rank_index *)a.index)[r * a.k + lane] = at;
  }
}
