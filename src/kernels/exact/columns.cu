/* columns.cu - an exact sum a row, of rows that lie side by side
 *
 * Result   heddle_exact_columns: out[r] of every row
 * Defines  as windows.h
 * Launch   256 threads, `parts` blocks for every group of 32 rows
 * Method   A lane has a row of 32, warps take the elements in turn, blocks their parts. What warps find goes
 *          into limbs in shared memory, a sum a lane, unless one warp has had all elements; what blocks find into
 *          the rows' sums in global memory.
 * Limits   a row has at most 2^28 elements: limbs are not carried before the end
 * Order    none: integers
 * Source   docs/order.md, rule 15 */
#define HEDDLE_FORM 2 /* EXACT_BY_LANE */
#include "rows.h"

#define EXACT_WARPS 8
#define EXACT_THREADS 256
#define EXACT_SUM_WORDS (sizeof(struct hd_exact) / 8)

/* The block's sums of rows first .. to the rows' own; whether these are complete, and in their place. */
HD_DEVICE bool block_join(struct hd_exact *sums, const struct exact_rows_args *a, u64 first,
                          u32 *last) {
  const u64 left = a->rows - first, words = (left < 32 ? left : 32) * EXACT_SUM_WORDS;
  struct hd_exact *const all = (struct hd_exact *)a->sums + first;
  if (a->parts == 1) return true;
  for (u64 i = threadIdx.x; i < words; i += EXACT_THREADS)
    if (((u64 *)sums)[i]) memory_add64((u64 *)all + i, ((u64 *)sums)[i]);
  if (!block_is_last((u32 *)&all->added, (u32)a->parts, last)) return false;
  for (u64 i = threadIdx.x; i < words; i += EXACT_THREADS)
    ((u64 *)sums)[i] = peek64((u64 *)all + i);
  __syncthreads(); /* the sums are here */
  return true;
}

HD_KERNEL __launch_bounds__(256, 2) heddle_exact_columns(const struct exact_rows_args a) {
  __shared__ struct hd_exact sums[32];
  __shared__ u32 last;
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u64 first = blockIdx.x / a.parts * 32, part = blockIdx.x % a.parts, r = first + lane;
  const u64 low = part * a.each, high = low + a.each < a.length ? low + a.each : a.length;
  const bool has_row = r < a.rows;
  struct row row = row_find(&a, has_row ? r : a.rows - 1);
  struct windows s;
  f64 result;
  row.length = has_row ? high : 0;
  for (u32 i = threadIdx.x; i < 32 * EXACT_SUM_WORDS; i += EXACT_THREADS) ((u64 *)sums)[i] = 0;
  warp_windows_start(&s);
  __syncthreads(); /* the sums are cleared */
#pragma unroll 1
  for (u64 i = low + warp * EXACT_ELEMENTS; i < high; i += EXACT_WARPS * EXACT_ELEMENTS)
    warp_row_take(&s, &sums[lane], &a, &row, i);
  if (a.length <= EXACT_ELEMENTS && row_is_plain(&a)) { /* the first warp has all there is */
    if (warp == 0 && warp_windows_short(&s, a.result.out_type != HD_F64, &result)) {
      if (has_row) thread_store(result, a.result.out_type, row_out(&a, r));
      return;
    }
  }
  warp_windows_flush(&s, &sums[lane]);
  __syncthreads(); /* every warp has added */
  if (!block_join(sums, &a, first, &last)) return;
  if (warp == 0 && has_row) thread_sum_store(&sums[lane], &a.result, row_out(&a, r));
}
