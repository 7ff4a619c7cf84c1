/* strided.cu - one result a row along an axis of a strided array; segments: segments.cu
 *
 * Result   out.value[r] (and index[r]), the fold of row r with the bits of the plain call on it
 * Defines  order/device/total.h's; HEDDLE_SEGMENTS 0; HEDDLE_STRIDED, HEDDLE_QUADS (rows.h,
 *          tile.h); HEDDLE_SPLIT: 0 has heddle_fold_rows_per_warp, 1 heddle_fold_rows_per_block;
 *          HEDDLE_SHORT_ROWS: 1 if rows of heddle_fold_rows_per_warp are shorter than a chunk
 * Kernels  heddle_fold_rows_per_warp    blocks of 128; a warp takes `rows` rows
 *          heddle_fold_rows_per_block   blocks of 256; pieces > 0: that many blocks a row, each
 *          with
 *                            2^level chunks, of which the last to finish folds the rest;
 *                            pieces == 0: one block a row
 * Memory   split: pieces slots and a counter, which is left zero, a row
 * Order    v1, anchored at the row's start. Which warp folds what cannot be seen in the result:
 *          pieces are aligned blocks of chunks
 * Source   docs/order.md, rules 2 to 5, 7, 9, 10 and 11 */
#if HEDDLE_SPLIT
#include "block.h"
#else
#define ROW_SHORT HEDDLE_SHORT_ROWS
#include "batch.h"
#endif

/* Multiprocessors hold so many blocks of 128 threads: registers allow them. */
#define ROW_WIDE                                                                        \
  (HEDDLE_VERB == HD_DOT || TOTAL_KIND == HD_TOTAL_U64 || TOTAL_KIND == HD_TOTAL_F64 || \
   TOTAL_KIND == HD_TOTAL_KEY64 || (TOTAL_KIND == HD_TOTAL_INPUT && ELEMENT_BYTES == 8))
#if !TOTAL_IS_NUMBER
#define ROW_BLOCKS 2
#elif ROW_WIDE
#define ROW_BLOCKS 4
#elif HEDDLE_SHORT_ROWS && !HEDDLE_STRIDED && HEDDLE_CC >= 90 && \
    (TOTAL_KIND == HD_TOTAL_F32 || TOTAL_KIND == HD_TOTAL_KEY32)
/* A row at a time: the more warps, the more is on its way. */
#define ROW_PLAIN (HEDDLE_TYPE == HD_F32 && HEDDLE_MAP == HD_MAP_VALUE && !HEDDLE_QUOTIENT)
#define ROW_BLOCKS (HEDDLE_QUADS && ROW_PLAIN ? 12 : 10)
#elif HEDDLE_CC < 90 && ELEMENT_BYTES == 2
#define ROW_BLOCKS 5
#else
#define ROW_BLOCKS 6
#endif
/* And so many of heddle_fold_rows_per_block's larger ones. A compiler that is not told puts loop
 * variables into memory to have room for one more. */
#if TOTAL_KIND == HD_TOTAL_MOMENTS || TOTAL_KIND == HD_TOTAL_VARIANCE || \
    TOTAL_KIND == HD_TOTAL_CUSTOM
#define SPLIT_BLOCKS 1
#elif TOTAL_KIND == HD_TOTAL_ARG
#define SPLIT_BLOCKS 2
#elif HEDDLE_VERB == HD_DOT && \
    ((TOTAL_KIND == HD_TOTAL_F64 && HEDDLE_STRIDED) || (ELEMENT_BYTES == 1 && HEDDLE_QUADS))
#define SPLIT_BLOCKS 2
#elif HEDDLE_VERB == HD_DOT && TOTAL_KIND != HD_TOTAL_F32
#define SPLIT_BLOCKS 3
#elif HEDDLE_VERB == HD_DOT || TOTAL_KIND == HD_TOTAL_F64 || TOTAL_KIND == HD_TOTAL_KEY64 || \
    HD_SM_THREADS < 1536
#define SPLIT_BLOCKS 4
#elif TOTAL_KIND == HD_TOTAL_F32 && !HEDDLE_STRIDED
#define SPLIT_BLOCKS 6
#elif ELEMENT_BYTES == 8 || \
    (HD_TYPE_IS_INTEGER(HEDDLE_TYPE) && (HEDDLE_STRIDED || HEDDLE_OP == HD_OP_PROD))
#define SPLIT_BLOCKS 4
#else
#define SPLIT_BLOCKS 5
#endif

#if !HEDDLE_SPLIT

HD_KERNEL __launch_bounds__(128, ROW_BLOCKS)
    heddle_fold_rows_per_warp(const struct rows_per_warp_args a) {
  const u32 rows = (u32)a.rows;
  const u64 r = (blockIdx.x * 4ull + threadIdx.x / 32) * rows + warp_lane();
  const bool mine = warp_lane() < rows && r < a.fold.view.rows;
  struct batch b;
  if (r - warp_lane() >= a.fold.view.rows) return;
  b.place.start = 0, b.place.length = 0;
  if (mine) b.place = row_at(&a.fold.view, r);
  warp_fold_batch(&b, &a.fold.from, &a.ends, ~0ull);
  if (mine) row_finish(b.mine, b.place.length, r, &a.fold.out, &a.ends);
}

#else

HD_KERNEL __launch_bounds__(32 * ROW_WARPS, SPLIT_BLOCKS)
    heddle_fold_rows_per_block(const struct rows_parts_args a) {
  __shared__ struct row_shared shared;
  const u32 pieces = (u32)a.parts, level = (u32)a.level;
  const u64 r = pieces ? blockIdx.x / pieces : blockIdx.x;
  const struct row_source *from = &a.fold.from;
  const struct row_place place = row_at(&a.fold.view, r);
  if (pieces) {
    const u64 index = ((u64)(blockIdx.x - r * pieces) << level) * ROW_CHUNK;
    block_fold_piece(from, &a.ends, place.start, index, level, a.slots + blockIdx.x, &shared);
    if (!block_is_last_piece(a.counters + r, pieces, &shared.last)) return;
  }
  block_merge_row(from, &a.ends, &a.fold.out, place, r, a.slots + r * pieces, pieces, level,
                  &shared);
}

#endif
