/* strided.cu - one result a row along an axis of a strided array; segments: segments.cu
 *
 * Result   out.value[r] (and index[r]), the fold of row r with the bits of the plain call on it
 * Defines  kernels/base/operator.h's; HEDDLE_SEGMENTS 0; HEDDLE_STRIDED, HEDDLE_QUADS (rows.h, tile.h);
 *          HEDDLE_SPLIT: 0 has fold_rows_even, 1 fold_rows_split; HEDDLE_BRIEF: 1 if rows of
 *          fold_rows_even are shorter than a chunk
 * Kernels  fold_rows_even    blocks of 128; a warp takes `rows` rows
 *          fold_rows_split   blocks of 256; pieces > 0: that many blocks a row, each with
 *                            2^level chunks, of which the last to finish folds the rest;
 *                            pieces == 0: one block a row
 * Memory   split: pieces slots and a counter, which is left zero, a row
 * Order    v1, anchored at the row's start. Which warp folds what cannot be seen in the result:
 *          pieces are aligned blocks of chunks
 * Source   docs/order.md, rules 2 to 5, 7, 9, 10 and 11 */
#if HEDDLE_SPLIT
#include "block.h"
#else
#define ROW_BRIEF HEDDLE_BRIEF
#include "batch.h"
#endif

/* Multiprocessors hold so many blocks of 128 threads: registers allow them. */
#define ROW_WIDE                                                                        \
  (HEDDLE_VERB == HD_DOT || TOTAL_KIND == HD_TOTAL_U64 || TOTAL_KIND == HD_TOTAL_F64 || \
   TOTAL_KIND == HD_TOTAL_KEY64 || (TOTAL_KIND == HD_TOTAL_INPUT && ELEMENT_BYTES == 8))
#if TOTAL_KIND >= HD_TOTAL_ARG
#define ROW_BLOCKS 2
#elif ROW_WIDE
#define ROW_BLOCKS 4
#elif HEDDLE_BRIEF && HEDDLE_QUADS && HEDDLE_CC >= 90 && \
    (TOTAL_KIND == HD_TOTAL_F32 || TOTAL_KIND == HD_TOTAL_KEY32)
#define ROW_BLOCKS 12 /* a row at a time: the more warps, the more is on its way */
#elif HEDDLE_CC < 90 && ELEMENT_BYTES == 2
#define ROW_BLOCKS 5
#else
#define ROW_BLOCKS 6
#endif
/* And so many of fold_rows_split's larger ones. A compiler that is not told puts loop variables
 * into memory to have room for one more. */
#if TOTAL_KIND >= HD_TOTAL_MOMENTS
#define SPLIT_BLOCKS 1
#elif TOTAL_KIND == HD_TOTAL_ARG
#define SPLIT_BLOCKS 2
#elif HEDDLE_VERB == HD_DOT && TOTAL_KIND == HD_TOTAL_F64 && HEDDLE_STRIDED
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

#else

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

#endif
