/* single_block.cu - one result of a whole array of few chunks in order v1, by one block; for float
 * sums, products and dots. A whole reduction: begin to read here
 *
 * Result   heddle_fold_single_block: the total of a.to chunks at a.x (of a dot: times those at a.y)
 *          and of a.tail more elements at a.out, rounded to out_type, init folded in
 * Defines  as order/device/chunk.h; HEDDLE_WARPS a block, 8; HEDDLE_BLOCKS_PER_SM, for which
 *          registers are held down
 * Launch   one block of HEDDLE_WARPS * 32 threads
 * Method   A sum of 16,000 f32 has 7 chunks of 2,048 elements, and 1,664 more. A warp folds a chunk:
 *          a row is one load a lane, 16 rows are added from the top, then lanes by halves
 *          (order/device/chunk.h). Of the 1,664 a thread folds 8 neighbours, a warp those of its
 *          threads as a tree (order/device/tail.h). That leaves the totals of 7 chunks and of the
 *          aligned blocks 1,024, 512 and 128 that tile the 1,664. One warp makes of the chunks blocks
 *          of 4, 2 and 1 (order/device/warp.h), and folds those, then the blocks of the tail.
 * Order    v1, rules 2 to 5, 7 and 12
 * Limits   fewer than 32 chunks
 * Source   docs/order.md; src/cpu/fold/fold.c has the same bits from a CPU */
#include "order/device/chunk.h"
#include "order/device/result.h"
#include "order/device/tail.h"

#include "args.h" /* needs their types */

struct __align__(16) single_shared {
  total chunk[32];
  struct tail tail;
};

HD_KERNEL __launch_bounds__(32 * HEDDLE_WARPS, HEDDLE_BLOCKS_PER_SM)
    heddle_fold_single_block(const struct fold_args a) {
  __shared__ struct single_shared shared;
  const u32 warp = threadIdx.x / 32, lane = warp_lane(), chunks = (u32)a.to;
  const u64 whole = (u64)chunks * TOTAL_CHUNK;

  /* Rule 2: full chunks, each by one warp. */
#pragma unroll 1
  for (u32 c = warp; c < chunks; c += HEDDLE_WARPS) {
    const total t = warp_chunk_total(a.x + (u64)c * TOTAL_CHUNK, a.y + (u64)c * TOTAL_CHUNK);
    if (lane == 0) shared.chunk[c] = t;
  }

  /* Rule 5: the short chunk behind them, by all threads. */
  if (a.tail) block_tail_runs(a.x + whole, a.y + whole, a.tail, &shared.tail);

  __syncthreads(); /* the totals of chunks and of the tail's runs are complete */
  if (warp) return;
  if (a.tail) warp_tail_slots(a.tail, &shared.tail);

  /* Rule 4: the aligned blocks that tile the chunks, biggest first; then those of the tail. */
  total acc = total_identity();
  if (chunks) acc = warp_first(acc, lane < chunks ? shared.chunk[lane] : acc, chunks);
  acc = thread_slots(acc, shared.tail.slot, a.tail);

  /* Rules 7 and 12: init from the left, the sum of nothing is +0.0, and one rounding, of a mean that
   * of the quotient. */
  if (lane) return;
  if (a.has_init)
    acc = total_op(a.ends.init, acc);
  else if (HEDDLE_OP == HD_OP_SUM && !chunks && !a.tail)
    acc = 0;
  store_result(acc, a.divisor, a.out_type, a.out);
}
