/* block.h - long rows, which the warps of a block or several blocks fold together
 *
 * Result   block_fold_piece   the total of 2^level chunks, to a slot
 *          block_merge_row    the result of a row: pieces in slots, and what comes behind them
 * Defines  as fold.h
 * Who      all threads of a block of ROW_WARPS warps arrive
 * Order    v1: pieces are aligned blocks of chunks
 * Source   docs/order.md, rules 2 to 5 */
#ifndef HEDDLE_KERNELS_ROWS_BLOCK_H
#define HEDDLE_KERNELS_ROWS_BLOCK_H

#include "finish.h"
#include "fold.h"

#define ROW_WARPS 8

#define ROW_LEAVES 64

struct row_shared {
  total leaf[ROW_LEAVES], run[ROW_WARPS], acc;
  u64 ticket;
  u32 has, last;
};

/* shared->acc = acc op `count` slots. Warps take runs of 2^k of them. */
HD_DEVICE void block_fold_slots(const total *slots, u64 count, total acc,
                                struct row_shared *shared) {
  enum { AT_ONCE = 4 };
  const u32 warp = threadIdx.x / 32;
  u32 k = 5;
  while ((u64)ROW_WARPS << k < count) k++;
  const u32 full = (u32)(count >> k); /* complete runs */
  const u64 end = ((u64)warp + 1) << k < count ? ((u64)warp + 1) << k : count;
  u64 i = (u64)warp << k;
  struct warp_counter c = {acc, 0};
  total last = acc;
#pragma unroll 1
  for (; i + 32 * AT_ONCE <= end; i += 32 * AT_ONCE) {
    total t[AT_ONCE];
#pragma unroll
    for (u32 j = 0; j < AT_ONCE; j++) t[j] = slots[i + 32 * j + warp_lane()];
#pragma unroll
    for (u32 j = 0; j < AT_ONCE; j++) warp_counter_push(&c, warp_tree(t[j], 5));
  }
#pragma unroll 1
  for (; i + 32 <= end; i += 32) warp_counter_push(&c, warp_tree(slots[i + warp_lane()], 5));
  if (i + warp_lane() < end) last = slots[i + warp_lane()];
  if (warp < full) {
    const total t = warp_from(c.slot, k - 5);
    if (warp_lane() == 0) shared->run[warp] = t;
  }
  __syncthreads(); /* the totals of all complete runs are there */
  if (warp == (full < ROW_WARPS ? full : 0)) {
    if (full) acc = warp_first_rolled(acc, shared->run[warp_lane() < full ? warp_lane() : 0], full);
    if (full < ROW_WARPS) {
      acc = warp_counter_fold(&c, acc);
      acc = warp_first_rolled(acc, last, (u32)count & 31);
    }
    if (warp_lane() == 0) shared->acc = acc;
  }
  __syncthreads(); /* shared->acc is there; run[] is free again */
}

/* All leaves as one block: by one warp. */
HD_DEVICE total warp_all_leaves(const struct row_shared *shared) {
  const total low = warp_tree(shared->leaf[warp_lane()], 5);
  return total_op(low, warp_tree(shared->leaf[32 + warp_lane()], 5));
}

/* acc op the first n < ROW_LEAVES leaves: by one warp. */
HD_DEVICE total warp_first_leaves(total acc, const struct row_shared *shared, u32 n) {
  u32 from = 0;
  if (n >= 32) acc = total_op(acc, warp_tree(shared->leaf[warp_lane()], 5)), from = 32;
  if (!(n & 31)) return acc;
  const u32 i = from + warp_lane();
  return warp_first_rolled(acc, shared->leaf[i < n ? i : from], n & 31);
}

/* acc op less than a chunk from element `index` on, whose full tiles are in shared->run: by one
 * warp. */
HD_DEVICE total warp_merge_tail(total acc, const struct row_source *from, i64 at, u64 index, u32 n,
                                const struct row_shared *shared) {
  struct tile t;
#if TILE > 32
  const u32 tiles = n / TILE;
  const u32 rest = n % TILE;
  if (tiles)
    acc = warp_first_rolled(acc, shared->run[warp_lane() < tiles ? warp_lane() : 0], tiles);
  if (!rest) return acc;
  tile_load(&t, from, at + (i64)(tiles * TILE) * ROW_STEP(from), index + tiles * TILE, rest);
  return warp_tile_digits(acc, &t, rest);
#else
  (void)shared;
  if (!n) return acc;
  tile_load(&t, from, at, index, n < TILE ? n : TILE);
  return warp_row_tail(acc, from, at, index, n, &t);
#endif
}

/* Row r, whose first `pieces` pieces are in slots: warps take chunks in turn, and tiles of the
 * tail. */
HD_DEVICE void block_merge_row(const struct row_source *from, const struct total_ends *ends,
                               const struct row_out *out, struct row_place place, u64 r,
                               const total *slots, u64 pieces, u32 level,
                               struct row_shared *shared) {
  const u32 warp = threadIdx.x / 32, n = (u32)(place.length % ROW_CHUNK);
  u64 index = (pieces << level) * ROW_CHUNK;
  u64 chunks = place.length / ROW_CHUNK - (pieces << level);
  struct warp_counter groups = {row_identity(ends), 0};
  if (pieces) block_fold_slots(slots, pieces, row_identity(ends), shared);
  for (;;) {
    const u32 leaves = chunks < ROW_LEAVES ? (u32)chunks : ROW_LEAVES;
#pragma unroll 1
    for (u32 c = warp; c < leaves; c += ROW_WARPS) {
      const u64 i = index + (u64)c * ROW_CHUNK;
      const total t = warp_chunk_total(from, place.start + (i64)i * ROW_STEP(from), i);
      if (warp_lane() == 0) shared->leaf[c] = t;
    }
    index += (u64)leaves * ROW_CHUNK;
#if TILE > 32
    const u32 tile = ROW_WARPS - 1 - warp; /* the last warps have fewer chunks */
    if (leaves < ROW_LEAVES && tile < n / TILE) {
      const u64 i = index + (u64)tile * TILE;
      struct tile t;
      tile_load(&t, from, place.start + (i64)i * ROW_STEP(from), i, TILE);
      const total all = warp_tile_total(&t);
      if (warp_lane() == 0) shared->run[tile] = all;
    }
#endif
    __syncthreads(); /* leaves, and totals of tiles, are there */
    if (leaves < ROW_LEAVES) break;
    if (warp == 0) warp_counter_push(&groups, warp_all_leaves(shared));
    __syncthreads(); /* the leaves are free again */
    chunks -= ROW_LEAVES;
  }
  if (warp == 0) {
    total acc = pieces ? shared->acc : row_identity(ends);
    acc = warp_counter_fold(&groups, acc);
    acc = warp_first_leaves(acc, shared, (u32)chunks);
    acc = warp_merge_tail(acc, from, place.start + (i64)index * ROW_STEP(from), index, n, shared);
    if (warp_lane() == 0) row_finish(acc, place.length, r, out, ends);
  }
  __syncthreads(); /* shared is free for the next row */
}

/* The 2^level chunks, level >= 3, from element `index` of the row at `start` on: *slot. All threads
 * of the block arrive, with shared->run free. */
HD_DEVICE void block_fold_piece(const struct row_source *from, const struct total_ends *ends,
                                i64 start, u64 index, u32 level, total *slot,
                                struct row_shared *shared) {
  const u32 warp = threadIdx.x / 32;
  const u64 chunks = 1ull << (level - 3);
  struct warp_counter c = {row_identity(ends), 0};
  index += warp * chunks * ROW_CHUNK;
#pragma unroll 1
  for (u64 i = 0; i < chunks; i++, index += ROW_CHUNK)
    warp_counter_push(&c, warp_chunk_total(from, start + (i64)index * ROW_STEP(from), index));
  const total t = warp_from(c.slot, level - 3);
  if (warp_lane() == 0) shared->run[warp] = t;
  __syncthreads(); /* the eight warps' totals are there */
  if (warp) return;
  const total all = warp_tree(shared->run[warp_lane() % ROW_WARPS], 3);
  if (warp_lane() == 0) *slot = all;
}

#endif
