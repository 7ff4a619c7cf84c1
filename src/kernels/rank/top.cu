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
 *          of random elements, is queued, and 32 at a time sorted and merged by networks.
 * Source   Batcher 1968 (bitonic merging) */
#include "kernels/sort/key.h"

#include "args.h" /* needs their types */

#if HEDDLE_INDEX_BYTES == 8
typedef u64 rank_index;
#else
typedef u32 rank_index;
#endif

#define WARPS (HEDDLE_THREADS / 32)
enum { QUEUE = 64 };

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
  bool full;       /* there are k */
  u32 queued;
};

/* The first 32 of the queue, as far as they are there, join. All lanes arrive. */
HD_DEVICE void warp_join(struct first *f, rank_entry *queue, u32 k) {
  const u32 lane = threadIdx.x % 32;
  __syncwarp(); /* the queue is written */
  rank_entry x = lane < f->queued ? queue[lane] : NO_ENTRY;
  const rank_entry rest = queue[32 + lane];
  __syncwarp(); /* and read */
  if (32 + lane < f->queued) queue[lane] = rest;
  __syncwarp(); /* the rest is in front */
  f->queued = f->queued > 32 ? f->queued - 32 : 0;
  x = warp_sort(x);
  /* Against the other one's reverse, the lesser of each pair are the first 32 of both, and bitonic. */
  const rank_entry other = warp_entry_from(x, 31);
  f->mine = warp_merge(is_less(other, f->mine) ? other : f->mine);
  const sort_key key = entry_key(f->mine);
  f->last = __shfl_sync(HD_ALL, key, k - 1);
  f->full = __shfl_sync(HD_ALL, entry_at(f->mine), k - 1) != 0xffffffffu;
}

/* Elements first to first + 32 * HEDDLE_ITEMS - 1 of a row, as far as they are there. All lanes arrive. */
HD_DEVICE void warp_take(const struct rank_top_args *a, struct first *f, rank_entry *queue,
                         const key_bits *row, u64 length, u64 first) {
  const u32 lane = threadIdx.x % 32, lower = (1u << lane) - 1u, k = (u32)a->k;
  sort_key x[HEDDLE_ITEMS], least = (sort_key)HD_U64_MAX;
  key_bits bits[HEDDLE_ITEMS];
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++)
    bits[i] = first + 32 * i + lane < length ? row[first + 32 * i + lane] : 0;
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    x[i] = key_of(&a->map, bits[i]);
    if (first + 32 * i + lane < length) least = least < x[i] ? least : x[i];
  }
  const sort_key bound = warp_find_key(least, k);
#pragma unroll
  for (u32 i = 0; i < HEDDLE_ITEMS; i++) {
    const bool there = first + 32 * i + lane < length;
    const bool is = there && x[i] <= bound && (!f->full || x[i] < f->last);
    const u32 lanes = __ballot_sync(HD_ALL, is);
    if (!lanes) continue;
    if (is)
      queue[f->queued + (u32)__popc(lanes & lower)] = entry_of(x[i], (u32)(first + 32 * i + lane));
    f->queued += (u32)__popc(lanes);
    if (f->queued >= 32) warp_join(f, queue, k);
  }
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, 2)
    heddle_rank_top(const __grid_constant__ struct rank_top_args a) {
  __shared__ rank_entry queues[WARPS][QUEUE];
  const u32 lane = threadIdx.x % 32;
  rank_entry *queue = queues[threadIdx.x / 32];
  queue[lane] = queue[32 + lane] = NO_ENTRY;
  __syncwarp(); /* nothing is queued */
  const u64 *offsets = (const u64 *)a.offsets, step = (u64)gridDim.x * WARPS;
  for (u64 r = (u64)blockIdx.x * WARPS + threadIdx.x / 32; r < a.rows; r += step) {
    const u64 start = offsets ? offsets[r] - a.first : r * a.length;
    const u64 length = offsets ? offsets[r + 1] - offsets[r] : a.length;
    const key_bits *row = (const key_bits *)a.in + start;
    struct first f = {NO_ENTRY, 0, false, 0};
    for (u64 first = 0; first < length; first += 32 * HEDDLE_ITEMS)
      warp_take(&a, &f, queue, row, length, first);
    if (f.queued) warp_join(&f, queue, (u32)a.k);
    if (lane >= a.k) continue;
    const u32 at = entry_at(f.mine);
    if (a.out) ((key_bits *)a.out)[r * a.k + lane] = row[at];
    if (a.index) ((rank_index *)a.index)[r * a.k + lane] = at;
  }
}
