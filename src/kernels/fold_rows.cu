/* fold_rows.cu - one result a row: segments, or rows along an axis of a strided array
 *
 * Result   out.value[r] (and index[r]), the fold of row r with the bits of the plain call on it
 * Defines  operator.h's; HEDDLE_SEGMENTS, HEDDLE_STRIDED, HEDDLE_QUADS (rows.h, rows_tile.h);
 *          HEDDLE_SPLIT, without segments: 0 has fold_rows_even, 1 fold_rows_split
 * Kernels  rows of an axis, all of one length:
 *            fold_rows_even    blocks of 128; a warp takes `rows` rows
 *            fold_rows_split   blocks of 256; pieces > 0: that many blocks a row, each with
 *                              2^level chunks, of which the last to finish folds the rest;
 *                              pieces == 0: one block a row
 *          segments: fold_rows_ragged  blocks of 256, any grid. First warps take rows by tickets
 *                              and put long ones on a list; then blocks take pieces of those
 * Memory   split: pieces slots and a counter, which is left zero, a row
 *          ragged: ROW_LIST slots, entries and owners; one row_work, which is left zero
 * Order    v1, anchored at the row's start. Which warp folds what cannot be seen in the result:
 *          pieces are aligned blocks of chunks
 * Source   docs/order.md, rules 2 to 5, 7, 9, 10 and 11 */
#include "rows_finish.h"
#include "rows_fold.h"

#define ROW_WARPS 8 /* of the blocks that fold one row together */
/* Multiprocessors hold so many blocks of 128 threads: registers allow them. */
#if TOTAL_KIND >= HD_TOTAL_ARG
#define ROW_BLOCKS 2
#elif HEDDLE_VERB == HD_DOT || TOTAL_KIND == HD_TOTAL_U64 || TOTAL_KIND == HD_TOTAL_F64 || \
    TOTAL_KIND == HD_TOTAL_KEY64 || (TOTAL_KIND == HD_TOTAL_INPUT && ELEMENT_BYTES == 8)
#define ROW_BLOCKS 4
#else
#define ROW_BLOCKS 6
#endif
/* And so many of fold_rows_split's larger ones. A compiler that is not told puts loop variables
 * into memory to have room for one more. */
#if TOTAL_KIND >= HD_TOTAL_MOMENTS
#define SPLIT_BLOCKS 1
#elif TOTAL_KIND == HD_TOTAL_ARG
#define SPLIT_BLOCKS 2
#elif HEDDLE_VERB == HD_DOT && TOTAL_KIND != HD_TOTAL_F32
#define SPLIT_BLOCKS 3
#elif HEDDLE_VERB == HD_DOT || TOTAL_KIND == HD_TOTAL_F64 || TOTAL_KIND == HD_TOTAL_KEY64 || \
    HD_SM_THREADS < 1536
#define SPLIT_BLOCKS 4
#elif TOTAL_KIND == HD_TOTAL_F32
#define SPLIT_BLOCKS 6
#elif ELEMENT_BYTES == 8 || \
    (HEDDLE_STRIDED && HEDDLE_OP == HD_OP_PROD && HD_TYPE_IS_INTEGER(HEDDLE_TYPE))
#define SPLIT_BLOCKS 4
#else
#define SPLIT_BLOCKS 5
#endif

/* ---- a warp ---------------------------------------------------------------------------------- */

struct batch {
  struct row_place place; /* the lane's own row */
  total mine;             /* and its total */
  u64 next;               /* length of the row whose first tile is in `tile` */
  i64 at;
  struct tile tile;
};

/* The first tile of the row that lane `row` holds, which is folded by all. */
HD_DEVICE void batch_fetch(struct batch *b, const struct row_source *from, int row) {
  b->at = __shfl_sync(HD_ALL, b->place.start, row);
  b->next = __shfl_sync(HD_ALL, b->place.length, row);
  tile_load(&b->tile, from, b->at, 0, b->next < TILE ? (u32)b->next : TILE);
}

#if TOTAL_KIND < HD_TOTAL_ARG
/* The rows of lanes in the mask `small`, eight at once. */
HD_DEVICE void batch_small(struct batch *b, const struct row_source *from, u32 small) {
  const u32 lane = warp_lane();
  const u32 above = __ballot_sync(HD_ALL, b->place.length > 32) & small;
#pragma unroll 1
  for (u32 j = 0; j < 32; j += 8) {
    if (!(small >> j & 0xffu)) continue;
    const u32 row = j + (lane >> 2);
    const i64 at = __shfl_sync(HD_ALL, b->place.start, (int)row);
    u32 n = __shfl_sync(HD_ALL, (u32)b->place.length, (int)row);
    if (!(small >> row & 1u)) n = 0;
    const total t = above >> j & 0xffu ? small_128(from, at, n) : small_32(from, at, n);
    const total own = warp_from(t, (lane - j) * 4 & 31u);
    if (lane - j < 8) b->mine = own;
  }
}
#endif

/* All rows of the batch but those of `most` elements or more: their totals to `mine`. While a row
 * is folded, the first tile of the one behind it is on its way. */
HD_DEVICE void fold_batch(struct batch *b, const struct row_source *from,
                          const struct row_ends *ends, u64 most) {
  u32 large = __ballot_sync(HD_ALL, b->place.length && b->place.length < most);
  b->mine = row_identity(ends);
#if TOTAL_KIND < HD_TOTAL_ARG
  const u32 small = __ballot_sync(HD_ALL, b->place.length && b->place.length <= SMALL_ROW);
  if (small) batch_small(b, from, small);
  large &= ~small;
#endif
  if (large) batch_fetch(b, from, __ffs((int)large) - 1);
#pragma unroll 1
  while (large) {
    const u32 row = (u32)__ffs((int)large) - 1;
    struct tile first = b->tile;
    const i64 at = b->at;
    const u64 n = b->next;
    large &= large - 1;
    if (large) batch_fetch(b, from, __ffs((int)large) - 1);
    const total t = row_total(row_identity(ends), from, at, n, &first);
    if (warp_lane() == row) b->mine = t;
  }
}

/* ---- a block --------------------------------------------------------------------------------- */

struct row_shared {
  total run[ROW_WARPS], acc;
  u64 ticket;
  u32 pieces, last;
};

/* *acc = *acc op `count` leaves: slots, or where slots is NULL the chunks from element `index` of
 * the row at `start` on. Warps take runs of 2^k leaves. All threads of the block arrive, with
 * equal *acc; the warp in which it returns true holds the result. */
HD_DEVICE bool fold_leaves(const total *slots, const struct row_source *from, i64 start, u64 index,
                           u64 count, total *acc, struct row_shared *shared) {
  const u32 warp = threadIdx.x / 32;
  u32 k = slots ? 5 : 0;
  while ((u64)ROW_WARPS << k < count) k++;
  const u32 full = (u32)(count >> k); /* complete runs */
  const u64 end = ((u64)warp + 1) << k < count ? ((u64)warp + 1) << k : count;
  u64 leaf = (u64)warp << k;
  struct row_counter c = {*acc, 0};
  total last = *acc;
  if (slots) {
    for (; leaf + 32 <= end; leaf += 32) counter_push(&c, warp_tree(slots[leaf + warp_lane()], 5));
    if (leaf + warp_lane() < end) last = slots[leaf + warp_lane()];
  } else {
    for (; leaf < end; leaf++) {
      const u64 i = index + leaf * ROW_CHUNK;
      counter_push(&c, chunk_total(from, start + (i64)i * ROW_STEP(from), i));
    }
  }
  if (warp < full) {
    const total t = warp_from(c.slot, slots ? k - 5 : k);
    if (warp_lane() == 0) shared->run[warp] = t;
  }
  __syncthreads(); /* the totals of all complete runs are there */
  if (warp != (full < ROW_WARPS ? full : 0)) return false;
  if (full) *acc = warp_first(*acc, shared->run[warp_lane() < full ? warp_lane() : 0], full);
  if (full < ROW_WARPS) {
    *acc = counter_fold(&c, *acc);
    if (slots && (count & 31)) *acc = warp_first(*acc, last, (u32)count & 31);
  }
  return true;
}

/* Row r, whose first `pieces` pieces are in slots. */
HD_DEVICE void merge_row(const struct row_source *from, const struct row_ends *ends,
                         const struct row_out *out, struct row_place place, u64 r,
                         const total *slots, u64 pieces, u32 level, struct row_shared *shared) {
  total acc = row_identity(ends);
  u64 index = (pieces << level) * ROW_CHUNK;
  const u64 chunks = place.length / ROW_CHUNK - (pieces << level);
  if (pieces) {
    if (fold_leaves(slots, from, 0, 0, pieces, &acc, shared) && warp_lane() == 0) shared->acc = acc;
    __syncthreads(); /* shared->acc is the total of the pieces; run[] is free again */
    acc = shared->acc;
  }
  if (fold_leaves(NULL, from, place.start, index, chunks, &acc, shared)) {
    const u32 n = (u32)(place.length % ROW_CHUNK);
    index += chunks * ROW_CHUNK;
    if (n) {
      const i64 at = place.start + (i64)index * ROW_STEP(from);
      struct tile t;
      tile_load(&t, from, at, index, n < TILE ? n : TILE);
      acc = row_tail(acc, from, at, index, n, &t);
    }
    if (warp_lane() == 0) row_finish(acc, place.length, r, out, ends);
  }
  __syncthreads(); /* shared is free for the next row */
}

/* The 2^level chunks, level >= 3, from element `index` of the row at `start` on: *slot. All threads
 * of the block arrive, with shared->run free. */
HD_DEVICE void fold_piece(const struct row_source *from, const struct row_ends *ends, i64 start,
                          u64 index, u32 level, total *slot, struct row_shared *shared) {
  const u32 warp = threadIdx.x / 32;
  const u64 chunks = 1ull << (level - 3);
  struct row_counter c = {row_identity(ends), 0};
  index += warp * chunks * ROW_CHUNK;
#pragma unroll 1
  for (u64 i = 0; i < chunks; i++, index += ROW_CHUNK)
    counter_push(&c, chunk_total(from, start + (i64)index * ROW_STEP(from), index));
  const total t = warp_from(c.slot, level - 3);
  if (warp_lane() == 0) shared->run[warp] = t;
  __syncthreads(); /* the eight warps' totals are there */
  if (warp) return;
  const total all = warp_tree(shared->run[warp_lane() % ROW_WARPS], 3);
  if (warp_lane() == 0) *slot = all;
}

/* Whether this block is the last of `pieces` to come by, after what each wrote before. The counter
 * is zero again then. All threads arrive. */
HD_DEVICE bool last_piece(u32 *counter, u32 pieces, struct row_shared *shared) {
  if (threadIdx.x == 0) {
    __threadfence();
    shared->last = atomicAdd(counter, 1u) == pieces - 1;
    if (shared->last) *counter = 0;
    __threadfence();
  }
  __syncthreads(); /* shared->last is there; all pieces are in their slots if it is 1 */
  return shared->last;
}

/* ---- kernels: rows of an axis ---------------------------------------------------------------- */

#if !HEDDLE_SEGMENTS && !HEDDLE_SPLIT

HD_KERNEL __launch_bounds__(128, ROW_BLOCKS)
    fold_rows_even(const struct row_view view, const struct row_source from,
                   const struct row_out out, const struct row_ends ends, u32 rows) {
  const u64 r = (blockIdx.x * 4ull + threadIdx.x / 32) * rows + warp_lane();
  const bool mine = warp_lane() < rows && r < view.rows;
  struct batch b;
  if (r - warp_lane() >= view.rows) return;
  b.place.start = 0, b.place.length = 0;
  if (mine) b.place = row_at(&view, r);
  fold_batch(&b, &from, &ends, ~0ull);
  if (mine) row_finish(b.mine, b.place.length, r, &out, &ends);
}

#elif !HEDDLE_SEGMENTS

HD_KERNEL __launch_bounds__(32 * ROW_WARPS, SPLIT_BLOCKS)
    fold_rows_split(const struct row_view view, const struct row_source from,
                    const struct row_out out, const struct row_ends ends, total *slots,
                    u32 *counters, u32 pieces, u32 level) {
  __shared__ struct row_shared shared;
  const u64 r = pieces ? blockIdx.x / pieces : blockIdx.x;
  const struct row_place place = row_at(&view, r);
  if (pieces) {
    const u64 index = ((u64)(blockIdx.x - r * pieces) << level) * ROW_CHUNK;
    fold_piece(&from, &ends, place.start, index, level, slots + blockIdx.x, &shared);
    if (!last_piece(counters + r, pieces, &shared)) return;
  }
  merge_row(&from, &ends, &out, place, r, slots + r * pieces, pieces, level, &shared);
}

/* ---- kernels: segments ----------------------------------------------------------------------- */

#else

/* What all blocks of a launch know. */
struct ragged {
  struct row_view view;
  struct row_work *work;
  struct row_entry *list;
  u32 *owner; /* of a piece: its entry */
  u64 batches, most;
  u32 rows, level;
};

/* A row that is long goes on the list; all lanes arrive. */
HD_DEVICE void ragged_list(const struct ragged *g, const struct batch *b, u64 r) {
  u32 large = __ballot_sync(HD_ALL, b->place.length >= g->most);
#pragma unroll 1
  for (; large; large &= large - 1) {
    const int row = __ffs((int)large) - 1;
    const u64 n = __shfl_sync(HD_ALL, b->place.length, row);
    const u32 pieces = (u32)(n / ROW_CHUNK >> g->level);
    u64 at = 0;
    if (warp_lane() == 0) at = atomicAdd(&g->work->listed, 1ull << 32 | pieces);
    at = __shfl_sync(HD_ALL, at, 0);
    const u32 i = (u32)(at >> 32), first = (u32)at;
    if (i >= ROW_LIST || first + pieces > ROW_LIST) continue; /* only where offsets fall */
    if (warp_lane() == 0) {
      struct row_entry entry = {r + (u32)row, first, pieces, 0, 0};
      g->list[i] = entry;
    }
    for (u32 p = warp_lane(); p < pieces; p += 32) g->owner[first + p] = i;
  }
}

/* Rows by tickets, for this warp; a row whose offsets are wrong is empty. */
HD_DEVICE void ragged_batches(const struct ragged *g, const struct row_source *from,
                              const struct row_out *out, const struct row_ends *ends) {
  for (;;) {
    u64 t = 0;
    if (warp_lane() == 0) t = atomicAdd(&g->work->ticket, 1ull);
    t = __shfl_sync(HD_ALL, t, 0);
    if (t >= g->batches) return;
    const u64 r = t * g->rows + warp_lane();
    const bool mine = warp_lane() < g->rows && r < g->view.rows;
    struct batch b;
    b.place.start = 0, b.place.length = 0;
    if (mine) { /* first and last are read each time: they would be four registers */
      const u64 start = g->view.offsets[r], end = g->view.offsets[r + 1];
      const u64 first = g->view.offsets[0], last = g->view.offsets[g->view.rows];
      if (end < start) atomicMax(&g->work->bad, ~(r + 1));
      if (end >= start && start >= first && end <= last)
        b.place.start = (i64)start, b.place.length = end - start;
    }
    ragged_list(g, &b, r - warp_lane());
    fold_batch(&b, from, ends, g->most);
    if (mine && b.place.length < g->most) row_finish(b.mine, b.place.length, r, out, ends);
    __threadfence();
    __syncwarp(); /* what the warp put on the list is there for all who see `through` move */
    if (warp_lane() == 0) atomicAdd(&g->work->through, 1ull);
  }
}

/* Pieces of long rows by tickets, for this block, once all rows have been looked at. */
HD_DEVICE void ragged_pieces(const struct ragged *g, const struct row_source *from,
                             const struct row_out *out, const struct row_ends *ends, total *slots,
                             struct row_shared *shared) {
  if (threadIdx.x == 0) {
    while (peek64(&g->work->through) < g->batches) continue;
    __threadfence();
    shared->pieces = peek64(&g->work->bad) ? 0 : (u32)peek64(&g->work->listed);
  }
  for (;;) {
    if (threadIdx.x == 0) shared->ticket = atomicAdd(&g->work->piece, 1ull);
    __syncthreads(); /* shared->pieces and ->ticket are there; run[] is free */
    const u64 t = shared->ticket;
    if (t >= shared->pieces) return;
    struct row_entry *entry = g->list + g->owner[t];
    const struct row_place place = row_at(&g->view, entry->row);
    const u64 index = ((t - entry->first) << g->level) * ROW_CHUNK;
    fold_piece(from, ends, place.start, index, g->level, slots + t, shared);
    if (last_piece(&entry->done, entry->pieces, shared))
      merge_row(from, ends, out, place, entry->row, slots + entry->first, entry->pieces, g->level,
                shared);
  }
}

HD_KERNEL __launch_bounds__(32 * ROW_WARPS, ROW_BLOCKS / 2)
    fold_rows_ragged(const struct row_view view, const struct row_source from,
                     const struct row_out out, const struct row_ends ends, struct row_work *work,
                     struct row_entry *list, u32 *owner, total *slots, u64 *fault) {
  __shared__ struct row_shared shared;
  const u64 first = view.offsets[0], last = view.offsets[view.rows];
  const u64 elements = last < first ? 0 : last - first;
  struct ragged g = {view, work, list, owner, 0, 0, 0, 0};
  g.level = row_level(elements, ROW_CHUNK);
  g.rows = row_batch(elements, view.rows);
  g.batches = (view.rows + g.rows - 1) / g.rows;
  g.most = (u64)ROW_CHUNK << g.level;
  ragged_batches(&g, &from, &out, &ends);
  __syncthreads(); /* a barrier of pieces is not met by a warp that still takes rows */
  ragged_pieces(&g, &from, &out, &ends, slots, &shared);
  if (threadIdx.x) return;
  __threadfence();
  if (atomicAdd(&work->done, 1ull) != gridDim.x - 1) return;
  __threadfence();
  if (peek64(&work->bad)) hd_fault(fault, HD_FAULT_OFFSETS, ~work->bad);
  work->ticket = work->through = work->listed = work->piece = work->bad = work->done = 0;
}

#endif
