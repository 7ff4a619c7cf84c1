/* end.cu - results of long groups, from the totals of their pieces
 *
 * Result   out of all groups of GROUPS_LONG rows or more
 * Defines  rows.h's, HEDDLE_VECTOR 1
 * Launch   any number of blocks of END_THREADS, whose threads take a column of a long group after the other
 * Order    v1: whole pieces are neighbours of one size; what is left over comes biggest first, and then rows
 * Limits   fewer than 2^COUNTER_LEVELS whole pieces
 * Source   docs/order.md, rules 3 to 5 */
#include "order/device/total.h"
#define COUNTER_LEVELS 28
#include "rows.h"

#define END_THREADS 128

HD_DEVICE void thread_end(const struct groups_fold_args *a, u64 e, u64 column) {
  const struct groups_long entry = ((const struct groups_long *)a->longs)[e];
  const total *slot = (const total *)a->slots + (entry.first * a->width + column);
  const u64 whole = entry.length >> a->bits;
  const u32 rest = (u32)(entry.length & ((1u << GROUPS_PIECE_LEAST) - 1));
  const struct group_rows rows = group_rows_of(a, column);
  struct sums_counter pieces;
  sums_counter_begin(&pieces);
#pragma unroll 1
  for (u64 p = 0; p < whole; p++, slot += a->width) {
    const struct sums t = {{*slot}};
    sums_counter_push(&pieces, t, COUNTER_LEVELS);
  }
  struct sums acc = sums_counter_fold(&pieces, sums_identity(), COUNTER_LEVELS);
#pragma unroll 1
  for (u32 k = a->bits; k-- > GROUPS_PIECE_LEAST;) {
    if (!(entry.length >> k & 1u)) continue;
    acc.of[0] = total_op(acc.of[0], *slot);
    slot += a->width;
  }
  acc = thread_fold_rows(acc, &rows, entry.start + (entry.length - rest), rest, 2);
  group_finish(a, acc, entry.length, entry.group, column);
}

HD_KERNEL __launch_bounds__(END_THREADS)
    heddle_groups_end(const __grid_constant__ struct groups_fold_args a) {
  const u64 all = long_count(&a) * a.width, step = (u64)gridDim.x * END_THREADS;
#pragma unroll 1
  for (u64 i = (u64)blockIdx.x * END_THREADS + threadIdx.x; i < all; i += step) {
    const u64 e = i / a.width;
    thread_end(&a, e, i - e * a.width);
  }
}
