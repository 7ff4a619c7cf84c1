/* columns.cu - an exact sum a row, of rows that lie side by side
 *
 * Result   heddle_exact_columns: out[r] of every row
 * Defines  as windows.h
 * Launch   256 threads, as many blocks as there are groups of 32 rows
 * Method   A lane has a row of 32, warps take the elements in turn. What warps find goes into limbs in shared
 *          memory, a sum a lane, unless one warp has had all elements.
 * Order    none: integers
 * Source   docs/order.md, rule 15 */
#define HEDDLE_FORM 2 /* EXACT_BY_LANE */
#include "rows.h"

#define EXACT_WARPS 8

HD_KERNEL __launch_bounds__(256, 2) heddle_exact_columns(const struct exact_rows_args a) {
  __shared__ struct hd_exact sums[32];
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 r = (u64)blockIdx.x * 32 + lane;
  const bool has_row = r < a.rows;
  const bool alone = a.length <= EXACT_ELEMENTS; /* the first warp has all there is */
  struct row row = row_find(&a, has_row ? r : a.rows - 1);
  struct windows s;
  f64 result;
  if (!has_row) row.length = 0;
  for (u32 i = threadIdx.x; i < sizeof sums / 8; i += 256) ((u64 *)sums)[i] = 0;
  warp_windows_start(&s);
  __syncthreads(); /* the sums are cleared */
#pragma unroll 1
  for (u64 i = (u64)warp * EXACT_ELEMENTS; i < a.length; i += EXACT_WARPS * EXACT_ELEMENTS)
    warp_row_take(&s, &sums[lane], &a, &row, i, 1);
  if (alone && row_is_plain(&a)) {
    if (warp == 0 && warp_windows_short(&s, a.result.out_type != HD_F64, &result)) {
      if (has_row) thread_store(result, a.result.out_type, row_out(&a, r));
      return;
    }
  }
  warp_windows_flush(&s, &sums[lane]);
  __syncthreads(); /* every warp has added */
  if (warp == 0 && has_row) thread_sum_store(&sums[lane], &a.result, row_out(&a, r));
}
