/* scan.cu - running totals along rows: segments, or an axis of a strided array
 *
 * Result   out, element for element where the rows of `to` are, with the bits of the plain scan of
 *          each row of `view`
 * Defines  scan_row.h's; HEDDLE_SEGMENTS; without them HEDDLE_SPLIT: 0 has
 *          heddle_scan_rows_per_warp, 1 has heddle_scan_rows_totals and heddle_scan_rows_outputs
 * Launch   blocks of 128 threads
 *            heddle_scan_rows_per_warp    any grid; a warp a row
 *            heddle_scan_rows_totals  a warp for each of `pieces` pieces a row, 2^level chunks:
 *            slots
 *            heddle_scan_rows_outputs   then a warp for each of pieces + 1, the last of which is
 *            the rest
 *            heddle_scan_rows_segments  any grid: warps take rows by tickets and put long ones on a
 *            list,
 *                              then take pieces of those: totals first, then outputs
 * Memory   split: rows x pieces slots. ragged: 2 SCAN_LIST slots and owners, SCAN_LIST entries; one
 *          row_work, which is left zero
 * Overlap  in and out may be one array if its rows lie alike in both
 * Order    v1, anchored at the row's start
 * Source   docs/order.md, rules 2 to 7 and 11 */
#include "scan_row.h"

/* Multiprocessors hold so many of the blocks that write outputs: registers allow them. A compiler
 * that is not told puts loop variables into memory to have room for one more. */
#if TOTAL_KIND == HD_TOTAL_CUSTOM
#define SCAN_BLOCKS 2
#elif TOTAL_KIND == HD_TOTAL_U64 && HEDDLE_OP == HD_OP_PROD
#define SCAN_BLOCKS 5
#elif TOTAL_KIND == HD_TOTAL_F64 || TOTAL_KIND == HD_TOTAL_U64 || TOTAL_KIND == HD_TOTAL_KEY64 || \
    (ELEMENT_BYTES == 8 && HEDDLE_STRIDED)
#define SCAN_BLOCKS 6
#else
#define SCAN_BLOCKS 7
#endif

#if !HEDDLE_SEGMENTS && !HEDDLE_SPLIT

HD_KERNEL __launch_bounds__(128, SCAN_BLOCKS)
    heddle_scan_rows_per_warp(const struct scan_rows_args a) {
  for (u32 turn = 0;; turn++) { /* of which the row is computed: one register less over a row */
    const u64 r = ((u64)turn * gridDim.x + blockIdx.x) * 4 + threadIdx.x / 32;
    if (r >= a.view.rows) return;
    warp_scan_whole(&a.row, row_at(&a.view, r), row_at(&a.to, r).start);
  }
}

#elif !HEDDLE_SEGMENTS

HD_KERNEL __launch_bounds__(128) heddle_scan_rows_totals(const struct scan_rows_args a) {
  const u64 u = blockIdx.x * 4ull + threadIdx.x / 32, r = u / a.pieces;
  if (r >= a.view.rows) return;
  warp_scan_total(&a.row, row_at(&a.view, r).start, u - r * a.pieces, (u32)a.level, a.slots + u);
}

HD_KERNEL __launch_bounds__(128, SCAN_BLOCKS)
    heddle_scan_rows_outputs(const struct scan_rows_args a) {
  const u64 u = blockIdx.x * 4ull + threadIdx.x / 32, r = u / (a.pieces + 1);
  if (r >= a.view.rows) return;
  warp_scan_piece(&a.row, row_at(&a.view, r), row_at(&a.to, r).start, a.slots + r * a.pieces,
                  u - r * (a.pieces + 1), a.pieces, (u32)a.level);
}

#else

struct ragged {
  const struct row_view *view;
  struct row_work *work;
  struct row_entry *list;
  u32 *owner; /* of a unit, which is a piece or the rest of a row: its entry */
  u64 first, last, batches, most, all;
  u32 rows, level;
};

HD_DEVICE u64 warp_take_ticket(u64 *ticket) {
  u64 t = 0;
  if (warp_lane() == 0) t = atomicAdd(ticket, 1ull);
  return __shfl_sync(HD_ALL, t, 0);
}

/* Tells others that what this warp wrote is there. */
HD_DEVICE void warp_announce(u64 *counter) {
  __threadfence();
  __syncwarp(); /* all lanes have written and fenced */
  if (warp_lane() == 0) atomicAdd(counter, 1ull);
}

/* Waits for `count` tellings: of warps that hold lower tickets, and so are under way. */
HD_DEVICE void warp_await_announced(const u64 *counter, u64 count) {
  if (warp_lane() == 0)
    while (peek64(counter) < count) continue;
  __syncwarp(); /* lane 0 has seen them all */
  __threadfence();
}

/* A long row goes on the list; all lanes arrive. */
HD_DEVICE void warp_ragged_list(const struct ragged *g, const struct row_place *own, u64 r) {
  u32 large = __ballot_sync(HD_ALL, own->length >= g->most);
#pragma unroll 1
  for (; large; large &= large - 1) {
    const int row = __ffs((int)large) - 1;
    const u64 n = __shfl_sync(HD_ALL, own->length, row);
    const u32 pieces = (u32)(n / ROW_CHUNK >> g->level);
    u64 at = 0;
    if (warp_lane() == 0) at = atomicAdd(&g->work->listed, 1ull << 32 | (pieces + 1));
    at = __shfl_sync(HD_ALL, at, 0);
    const u32 i = (u32)(at >> 32), first = (u32)at;
    if (i >= SCAN_LIST || first + pieces >= 2 * SCAN_LIST) continue; /* only where offsets fall */
    if (warp_lane() == 0) {
      struct row_entry entry = {r + (u32)row, first, pieces, 0, 0};
      g->list[i] = entry;
    }
    for (u32 p = warp_lane(); p <= pieces; p += 32) g->owner[first + p] = i;
  }
}

/* Rows by tickets; a row whose offsets are wrong is empty. */
HD_DEVICE void warp_ragged_batches(const struct ragged *g, const struct scan_row *row) {
  for (;;) {
    const u64 t = warp_take_ticket(&g->work->ticket);
    if (t >= g->batches) return;
    const u64 r = t * g->rows + warp_lane();
    struct row_place own = {0, 0};
    if (warp_lane() < g->rows && r < g->all) {
      const u64 start = g->view->offsets[r], end = g->view->offsets[r + 1];
      if (end < start) atomicMax(&g->work->bad, ~(r + 1));
      if (end >= start && start >= g->first && end <= g->last)
        own.start = (i64)start, own.length = end - start;
    }
    warp_ragged_list(g, &own, r - warp_lane());
#if SMALL_SCAN
    if (own.length <= SMALL_SCAN) scan_small(row, own.start, own.start, (u32)own.length);
    __syncwarp(); /* the lanes go on together */
#endif
    u32 large = __ballot_sync(HD_ALL, own.length > SMALL_SCAN && own.length < g->most);
#pragma unroll 1
    for (; large; large &= large - 1) {
      const int lane = __ffs((int)large) - 1;
      struct row_place from;
      from.start = __shfl_sync(HD_ALL, own.start, lane);
      from.length = __shfl_sync(HD_ALL, own.length, lane);
      warp_scan_whole(row, from, from.start);
    }
    warp_announce(&g->work->through);
  }
}

/* Long rows by tickets: all totals, then all outputs. */
HD_DEVICE void warp_ragged_pieces(const struct ragged *g, const struct scan_row *row,
                                  total *slots) {
  warp_await_announced(&g->work->through, g->batches);
  const u64 units = peek64(&g->work->bad) ? 0 : (u32)peek64(&g->work->listed);
  for (;;) {
    const u64 t = warp_take_ticket(&g->work->piece);
    if (t >= units) break;
    const struct row_entry entry = g->list[g->owner[t]];
    const u64 p = t - entry.first;
    if (p < entry.pieces)
      warp_scan_total(row, row_at(g->view, entry.row).start, p, g->level, slots + t);
    warp_announce(&g->work->totals);
  }
  warp_await_announced(&g->work->totals, units);
  for (;;) {
    const u64 t = warp_take_ticket(&g->work->sweep);
    if (t >= units) return;
    const struct row_entry entry = g->list[g->owner[t]];
    const struct row_place from = row_at(g->view, entry.row);
    warp_scan_piece(row, from, from.start, slots + entry.first, t - entry.first, entry.pieces,
                    g->level);
  }
}

HD_KERNEL __launch_bounds__(128, 4) heddle_scan_rows_segments(const struct scan_segments_args a) {
  const struct row_view *view = &a.view;
  const u64 all = segment_count(view), first = view->offsets[0], last = view->offsets[all];
  const u64 elements = last < first ? 0 : last - first;
  struct ragged g = {view, a.work, a.list, a.owner, first, last, 0, 0, all, 0, 0};
  g.level = row_level(elements, ROW_CHUNK, SCAN_LIST);
  g.rows = row_batch(elements, all);
  g.batches = (all + g.rows - 1) / g.rows;
  g.most = (u64)ROW_CHUNK << g.level;
  warp_ragged_batches(&g, &a.row);
  warp_ragged_pieces(&g, &a.row, a.slots);
  __syncthreads(); /* no warp of this block reads work any more */
  if (threadIdx.x == 0) row_work_end(a.work, a.fault);
}

#endif
