/* segments.cu - one result a segment, whatever their lengths
 *
 * Result   out.value[r] (and index[r]), the fold of segment r with the bits of the plain call on it
 * Defines  order/device/total.h's; HEDDLE_SEGMENTS 1, HEDDLE_STRIDED and HEDDLE_QUADS 0;
 *          HEDDLE_STAGES   0: segments are read from global memory, one after the other; otherwise
 *                          they come by bulk copies to so many stages a warp (pass.h)
 * Launch   blocks of 256, any grid. First warps take rows by tickets and put long ones on a list;
 *          then blocks take pieces of those
 * Memory   ROW_LIST slots, entries and pieces; one row_work and ROW_LIST words at ROW_SHOWN behind
 *          it, which are left zero; stages: dynamic shared
 * Order    v1, anchored at the segment's start
 * Limits   stages: sm_90 and up
 * Source   docs/order.md, rules 2 to 5, 7, 9, 10 and 11 */
#include "order/device/total.h"
#if HEDDLE_STAGES && ELEMENT_BYTES <= 4 && TOTAL_KIND != HD_TOTAL_F64 && TOTAL_KIND != HD_TOTAL_U64
#define ROW_FLIGHT 32 /* where registers allow it: a row's chunks come a quarter faster */
#elif HEDDLE_CC < 80 && TOTAL_KIND == HD_TOTAL_U64 /* or registers spill */
#define ROW_FLIGHT 8
#define SMALL_ROW 32
#endif
#include "batch.h"
#include "block.h"
#if HEDDLE_STAGES
#include "pass.h"
#endif

/* Multiprocessors hold so many blocks: registers allow them. */
#if !TOTAL_IS_NUMBER
#define SEGMENT_BLOCKS 1
#elif HEDDLE_STAGES
#define SEGMENT_BLOCKS 2
#elif HEDDLE_VERB == HD_DOT || TOTAL_KIND == HD_TOTAL_U64 || TOTAL_KIND == HD_TOTAL_F64 || \
    ELEMENT_BYTES == 8
#define SEGMENT_BLOCKS 2
#else
#define SEGMENT_BLOCKS 3
#endif

/* Pieces of the longest rows have 2^PIECE_LEVEL chunks. */
#define PIECE_LEVEL 5

/* What all blocks of a launch know. */
struct segments {
  const struct row_view *view;
  struct row_work *work;
  struct row_entry *list;
  struct row_piece *pieces;
  u64 most;
  u32 batches, rows, level;
  u32 take; /* batches a ticket */
#if HEDDLE_COUNTED
  u64 all; /* segments */
#endif
};

HD_DEVICE u64 segments_all(const struct segments *g) {
#if HEDDLE_COUNTED
  return g->all;
#else
  return g->view->rows;
#endif
}

/* ---- rows by tickets, a warp each ------------------------------------------------------------ */

/* The first of n tickets: 2^32 batches are more than an address space. */
HD_DEVICE u32 segment_draw(const struct segments *g, u32 n) {
  return (u32)atomicAdd(&g->work->ticket, (u64)n);
}

/* Offsets of the lane's own row of batch t, as they stand there. */
struct segment_ends {
  u64 start, end;
};

HD_DEVICE bool segment_is(const struct segments *g, u32 t) {
  return t < g->batches && warp_lane() < g->rows &&
         (u64)t * g->rows + warp_lane() < segments_all(g);
}

HD_DEVICE struct segment_ends segment_load(const struct segments *g, u32 t) {
  const u64 r = (u64)t * g->rows + warp_lane();
  struct segment_ends ends = {0, 0};
  if (segment_is(g, t)) ends.start = g->view->offsets[r], ends.end = g->view->offsets[r + 1];
  return ends;
}

/* Where the row is. Where offsets fall, the rows around are empty. */
HD_DEVICE struct row_place warp_segment_place(const struct segments *g, struct segment_ends ends,
                                              u32 t) {
  /* first and last are read each time: they would be four registers */
  const u64 first = g->view->offsets[0], last = g->view->offsets[segments_all(g)];
  const bool falls = ends.end < ends.start;
  struct row_place place = {(i64)ends.start, ends.end - ends.start};
  if (falls) atomicMax(&g->work->bad, ~((u64)t * g->rows + warp_lane() + 1));
  if (__any_sync(HD_ALL, falls) || ends.start < first || ends.end > last) place.length = 0;
  return place;
}

/* Chunks of a piece of a row of so many: 2 to the power of this. */
HD_DEVICE u32 segment_level(const struct segments *g, u64 chunks) {
  u32 level = g->level;
  while (level < PIECE_LEVEL && chunks >> level > 16) level++;
  return level;
}

/* Pieces from `first` on: to the list, for blocks that look for them already. */
HD_DEVICE void warp_segment_show(const struct segments *g, u64 first, u32 all,
                                 struct row_piece piece) {
  u32 *shown = (u32 *)g->work + ROW_SHOWN;
  for (u32 p = warp_lane(); p < all && first + p < ROW_LIST; p += 32) {
    struct row_piece own = piece;
    own.start += ((u64)p << piece.level) * ROW_CHUNK;
    g->pieces[first + p] = own;
  }
  __threadfence();
  __syncwarp(); /* all lanes have written and fenced */
  for (u32 p = warp_lane(); p < all && first + p < ROW_LIST; p += 32)
    atomicExch(shown + first + p, 1u);
}

/* By one lane: room on the list, entry * 2^32 + first piece. There is room but where offsets fall
 * and rows overlap; the count does not run over then. */
HD_DEVICE u64 segment_room(const struct segments *g, u32 pieces) {
  if ((u32)peek64(&g->work->listed) >= ROW_LIST) return (u64)ROW_LIST << 32 | ROW_LIST;
  return atomicAdd(&g->work->listed, 1ull << 32 | pieces);
}

/* Rows of batch t that are long go on the list. */
HD_DEVICE void warp_segment_list(const struct segments *g, struct row_place place, u32 t) {
  u32 large = __ballot_sync(HD_ALL, place.length >= g->most);
  if (!large) return;
#pragma unroll 1
  for (; large; large &= large - 1) {
    const int row = __ffs((int)large) - 1;
    const u64 chunks = __shfl_sync(HD_ALL, place.length, row) / ROW_CHUNK;
    const u64 start = __shfl_sync(HD_ALL, (u64)place.start, row);
    const u32 level = segment_level(g, chunks);
    const u32 pieces = chunks < ROW_LEAVES ? 0 : (u32)(chunks >> level), all = pieces ? pieces : 1;
    u64 at = 0;
    if (warp_lane() == 0) at = segment_room(g, all);
    at = __shfl_sync(HD_ALL, at, 0);
    const u32 i = (u32)(at >> 32), first = (u32)at;
    struct row_piece piece = {start, i, (u16)pieces, (u16)level};
    if (i >= ROW_LIST || first + all > ROW_LIST) piece.entry = ROW_LIST;
    if (warp_lane() == 0 && piece.entry < ROW_LIST) {
      struct row_entry entry = {(u64)t * g->rows + (u32)row, first, pieces, 0, 0};
      g->list[i] = entry;
    }
    warp_segment_show(g, first, all, piece);
  }
}

/* One more warp will take no further rows: so many batches are through its hands. */
HD_DEVICE void segment_tell(const struct segments *g, u32 batches) {
  __threadfence(); /* its rows are listed */
  if (warp_lane() == 0 && batches) atomicAdd(&g->work->through, (u64)batches);
}

#if HEDDLE_STAGES

/* The full chunks of rows that have some, below `most` elements. */
HD_DEVICE void warp_segment_chunks(struct pass_row *row, struct row_place place,
                                   const struct row_source *from, const struct total_ends *ends,
                                   u64 most) {
  u32 large = __ballot_sync(HD_ALL, place.length >= ROW_CHUNK && place.length < most);
#pragma unroll 1
  for (; large; large &= large - 1) {
    const int own = __ffs((int)large) - 1;
    const i64 at = __shfl_sync(HD_ALL, place.start, own);
    const u64 n = __shfl_sync(HD_ALL, place.length, own);
    const total t = warp_row_chunks(row_identity(ends), from, at, n);
    if (warp_lane() == (u32)own) row->acc = t;
  }
}

/* The batch behind t: the next of the ticket, or the first of the one that was drawn; then another
 * is drawn. */
HD_DEVICE u32 warp_segment_next(const struct segments *g, u32 t, u32 *drawn) {
  if ((t + 1) % g->take) return t + 1;
  t = __shfl_sync(HD_ALL, *drawn, 0) * g->take;
  if (t < g->batches && warp_lane() == 0) *drawn = segment_draw(g, 1);
  return t;
}

/* Rows by tickets, for this warp, which begins with two. While a batch is folded, the offsets of
 * the next are on their way, and the ticket of the one behind it. */
HD_DEVICE void warp_segment_batches(const struct segments *g, const struct row_source *from,
                                    const struct row_out *out, const struct total_ends *ends,
                                    u32 ticket, struct pass_ring *ring) {
  u32 t = ticket * g->take, drawn = ticket + 1, listed = 0;
  struct segment_ends ahead = segment_load(g, t);
  while (t < g->batches) {
    const struct row_place place = warp_segment_place(g, ahead, t);
    const bool own = segment_is(g, t) && place.length < g->most;
    const u64 r = (u64)t * g->rows + warp_lane();
    const u64 chunks = place.length / ROW_CHUNK * ROW_CHUNK;
    struct pass_row row;
    struct pass now, next;
    row.at = place.start + (i64)chunks;
    row.left = own ? (u32)(place.length - chunks) : 0;
    row.acc = row_identity(ends);
    warp_pass_count(&row);
    bool more = warp_pass_plan(&row, 0, &now);
    if (more) warp_pass_fetch(ring, from, &now);
    warp_segment_list(g, place, t);
    listed++;
    t = warp_segment_next(g, t, &drawn);
    ahead = segment_load(g, t);
    if (t >= g->batches) segment_tell(g, listed);
    warp_segment_chunks(&row, place, from, ends, g->most);
    while (more) {
      more = warp_pass_plan(&row, now.end, &next);
      if (HEDDLE_STAGES > 1 && more) warp_pass_fetch(ring, from, &next);
      warp_pass_take(ring, from, &row, &now, HEDDLE_STAGES > 1 && more);
      if (HEDDLE_STAGES == 1 && more) warp_pass_fetch(ring, from, &next);
      now = next;
    }
    if (own) row_finish(row.acc, place.length, r, out, ends);
  }
}

#else

HD_DEVICE void warp_segment_batches(const struct segments *g, const struct row_source *from,
                                    const struct row_out *out, const struct total_ends *ends) {
  for (u32 listed = 0;; listed++) {
    struct batch b;
    u32 t = 0;
    if (warp_lane() == 0) t = segment_draw(g, 1);
    t = __shfl_sync(HD_ALL, t, 0);
    if (t >= g->batches) {
      segment_tell(g, listed);
      return;
    }
    b.place = warp_segment_place(g, segment_load(g, t), t);
    warp_segment_list(g, b.place, t);
    warp_fold_batch(&b, from, ends, g->most);
    if (segment_is(g, t) && b.place.length < g->most)
      row_finish(b.mine, b.place.length, (u64)t * g->rows + warp_lane(), out, ends);
  }
}

#endif

/* ---- pieces by tickets, a block each --------------------------------------------------------- */

/* By one thread: whether there is a piece behind ticket *t, as soon as that is known. Those that
 * nobody needs any more, as offsets fall, are passed over. */
HD_DEVICE bool segment_take(const struct segments *g, u64 *t) {
  u32 *shown = (u32 *)g->work + ROW_SHOWN;
  for (; *t < ROW_LIST; *t = atomicAdd(&g->work->piece, 1ull)) {
    while (!atomicAdd(shown + *t, 0u))
      if (peek64(&g->work->through) == g->batches) {
        __threadfence(); /* the list is complete, and looked at after that was */
        if (*t >= (u32)peek64(&g->work->listed)) return false;
      }
    atomicExch(shown + *t, 0u);
    __threadfence(); /* what is read of it from here on is no older */
    if (!peek64(&g->work->bad)) return true;
  }
  return false;
}

/* Pieces of long rows, as warps find them. The next ticket is drawn while a piece is folded. */
HD_DEVICE void block_segment_pieces(const struct segments *g, const struct row_source *from,
                                    const struct row_out *out, const struct total_ends *ends,
                                    total *slots, struct row_shared *shared) {
  u64 drawn = 0;
  if (threadIdx.x == 0) drawn = atomicAdd(&g->work->piece, 1ull);
  for (;;) {
    if (threadIdx.x == 0) {
      shared->has = segment_take(g, &drawn);
      shared->ticket = drawn;
      if (shared->has) drawn = atomicAdd(&g->work->piece, 1ull);
    }
    __syncthreads(); /* shared->ticket is there; run[] is free */
    if (!shared->has) return;
    const u64 t = shared->ticket;
    const struct row_piece now = g->pieces[t];
    struct row_entry *entry = g->list + now.entry;
    bool last = now.entry < ROW_LIST;
    if (last && now.pieces) {
#if !TOTAL_IS_NUMBER
      const u64 index = ((t - entry->first) << now.level) * ROW_CHUNK; /* in its row */
#else
      const u64 index = 0; /* nobody asks for places */
#endif
      block_fold_piece(from, ends, (i64)(now.start - index), index, now.level, slots + t, shared);
      last = block_is_last_piece(&entry->done, now.pieces, &shared->last);
    }
    if (last)
      block_merge_row(from, ends, out, row_at(g->view, entry->row), entry->row,
                      slots + entry->first, now.pieces, now.level, shared);
    __syncthreads(); /* shared->ticket has been read */
  }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

HD_KERNEL __launch_bounds__(32 * ROW_WARPS, SEGMENT_BLOCKS)
    heddle_fold_rows_segments(const struct rows_segments_args a) {
  __shared__ struct row_shared shared;
  const struct row_view *view = &a.fold.view;
  const struct row_source *from = &a.fold.from;
  const u64 all = segment_count(view), first = view->offsets[0], last = view->offsets[all];
  const u64 elements = last < first ? 0 : last - first;
  struct segments g = {view, a.work, a.list, a.pieces, 0, 0, 0, 0, 1};
#if HEDDLE_COUNTED
  g.all = all;
#endif
  g.level = row_level(elements, ROW_CHUNK, ROW_LIST);
  g.rows = row_batch(elements, all);
  g.batches = (u32)((all + g.rows - 1) / g.rows);
  g.most = (u64)ROW_CHUNK << g.level;
#if HEDDLE_STAGES
  __shared__ u64 filled[ROW_WARPS * HEDDLE_STAGES];
  const u32 warp = threadIdx.x / 32;
  struct pass_ring ring = {(u8 *)pass_shared + warp * (HEDDLE_STAGES * PASS_ARRAYS * PASS_STAGE),
                           filled + warp * HEDDLE_STAGES, 0, (i64)first, (i64)last};
  g.take = row_take(elements, all);
  if (threadIdx.x == 0) {
    shared.ticket = segment_draw(&g, 2 * ROW_WARPS); /* by one: there are thousands of warps */
    for (u32 s = 0; s < ROW_WARPS * HEDDLE_STAGES; s++) signal_open(filled + s, PASS_ARRAYS);
    signal_opened();
  }
  __syncthreads(); /* the stages' signals are open, and the tickets are there */
  warp_segment_batches(&g, from, &a.fold.out, &a.ends, (u32)shared.ticket + 2 * warp, &ring);
#else
  warp_segment_batches(&g, from, &a.fold.out, &a.ends);
#endif
  __syncthreads(); /* a barrier of pieces is not met by a warp that still takes rows */
  block_segment_pieces(&g, from, &a.fold.out, &a.ends, a.slots, &shared);
  if (threadIdx.x == 0) row_work_end(a.work, a.fault);
}
