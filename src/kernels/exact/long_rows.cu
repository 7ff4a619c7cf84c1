/* long_rows.cu - an exact sum a row, a block a row
 *
 * Result   heddle_exact_long_rows: out[r] of every row; of segments those of more than HD_EXACT_LONG_ROW
 *          elements
 * Defines  as windows.h
 * Launch   256 threads, any number of blocks
 * Method   as array.cu, of one block
 * Order    none: integers
 * Source   docs/order.md, rule 15 */
#define HEDDLE_FORM 0 /* EXACT_BY_BLOCK */
#include "rows.h"

#define EXACT_THREADS 256

HD_DEVICE void block_row(struct windows *s, struct hd_exact *sum, const struct exact_rows_args *a,
                         const struct row *row, u64 out) {
  const u64 lane = threadIdx.x % 32, warp = threadIdx.x - lane;
#pragma unroll 1
  for (u64 i = warp * EXACT_ELEMENTS; i < row->length; i += EXACT_THREADS * EXACT_ELEMENTS)
    warp_row_take(s, sum, a, row, i + lane, 32);
  warp_windows_flush(s, sum);
  __syncthreads(); /* every warp has added */
  if (threadIdx.x == 0) thread_sum_store(sum, &a->result, out);
  __syncthreads(); /* the result is stored */
  block_sum_clear(sum);
  __syncthreads(); /* the sum is cleared */
}

HD_KERNEL __launch_bounds__(256, 2) heddle_exact_long_rows(const struct exact_rows_args a) {
  __shared__ struct hd_exact sum;
  struct windows s;
  block_sum_clear(&sum);
  warp_windows_start(&s);
  __syncthreads(); /* the sum is cleared */
#pragma unroll 1
  for (u64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
    const struct row row = row_find(&a, r);
    if (!a.offsets || row.length > HD_EXACT_LONG_ROW) block_row(&s, &sum, &a, &row, row_out(&a, r));
  }
}
