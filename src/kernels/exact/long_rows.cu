/* long_rows.cu - an exact sum a row, some blocks a row
 *
 * Result   heddle_exact_long_rows: out[r] of every row; of segments those of more than HD_EXACT_LONG_ROW
 *          elements
 * Defines  as windows.h
 * Launch   256 threads, any number of blocks; segments have one part each
 * Method   as array.cu, of one block, or of a block a part, which add to the row's sum in global memory
 * Order    none: integers
 * Source   docs/order.md, rule 15 */
#define HEDDLE_FORM 0 /* EXACT_BY_BLOCK */
#include "rows.h"

#define EXACT_THREADS 256

/* Elements from .. to - 1 into the block's sum. */
HD_DEVICE void block_part(struct windows *s, struct hd_exact *sum, const struct exact_rows_args *a,
                          struct row row, u64 from, u64 to) {
  const u64 warp = threadIdx.x - threadIdx.x % 32; /* its first thread */
  if (to < row.length) row.length = to;
#pragma unroll 1
  for (u64 i = from + warp * EXACT_ELEMENTS; i < row.length; i += EXACT_THREADS * EXACT_ELEMENTS)
    warp_row_take(s, sum, a, &row, i);
  warp_windows_flush(s, sum);
  block_sum_carry(sum);
}

/* The part's sum to the row's; whether that is complete, and in its place. */
HD_DEVICE bool block_join(struct hd_exact *sum, const struct exact_rows_args *a, u64 r, u32 *last) {
  struct hd_exact *const all = (struct hd_exact *)a->sums + r;
  if (a->parts == 1) return true;
  block_sum_publish(sum, all);
  if (!block_is_last((u32 *)&all->added, (u32)a->parts, last)) return false;
  block_sum_fetch(sum, all, true);
  return true;
}

HD_KERNEL __launch_bounds__(256, 2) heddle_exact_long_rows(const struct exact_rows_args a) {
  __shared__ struct hd_exact sum;
  __shared__ u32 last;
  struct windows s;
  warp_windows_start(&s);
  const u64 units = row_count(&a) * a.parts;
#pragma unroll 1
  for (u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
    const u64 r = unit / a.parts, part = unit % a.parts;
    const struct row row = row_find(&a, r);
    const u64 to = a.parts == 1 ? row.length : (part + 1) * a.each;
    if (a.offsets && row.length <= HD_EXACT_LONG_ROW) continue;
    block_sum_clear(&sum);
    __syncthreads(); /* the sum is cleared */
    block_part(&s, &sum, &a, row, part * a.each, to);
    if (block_join(&sum, &a, r, &last) && threadIdx.x < 32)
      warp_sum_store(&sum, &a.result, row_out(&a, r));
    __syncthreads(); /* the result is stored */
  }
}
