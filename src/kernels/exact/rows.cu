/* rows.cu - an exact sum a row, a warp a row
 *
 * Result   heddle_exact_rows: out[r] of every row; of segments those of at most HD_EXACT_LONG_ROW elements
 * Defines  as windows.h
 * Launch   256 threads, any number of blocks
 * Method   Lanes take every 32nd element. Few elements are windows alone, whose sums cross the warp without
 *          rounding; what does not fit, and more elements, go into limbs in shared memory.
 * Order    none: integers
 * Source   docs/order.md, rule 15 */
#define HEDDLE_FORM 1 /* EXACT_BY_WARP */
#include "rows.h"

#define EXACT_WARPS 8

/* By all lanes. */
HD_DEVICE void warp_sum_clear(struct hd_exact *sum) {
  const u32 lane = threadIdx.x % 32;
  __syncwarp();
  for (u32 i = lane; i < HD_EXACT_LIMBS; i += 32) sum->limb[i] = 0;
  if (lane == 0) sum->nan = sum->plus = sum->minus = sum->added = 0;
  __syncwarp();
}

HD_DEVICE void warp_row(struct windows *s, struct hd_exact *sum, const struct exact_rows_args *a,
                        const struct row *row, u64 out) {
  f64 result;
  warp_windows_begin(s);
#pragma unroll 1
  for (u64 i = 0; i < row->length; i += 32 * EXACT_ELEMENTS) warp_row_take(s, sum, a, row, i);
  if (row_is_plain(a) && warp_windows_short(s, a->result.out_type != HD_F64, &result)) {
    if (threadIdx.x % 32 == 0) thread_store(result, a->result.out_type, out);
    return;
  }
  warp_windows_flush(s, sum);
  __syncwarp(); /* every lane has added */
  warp_sum_store(sum, &a->result, out);
  warp_sum_clear(sum);
  s->spilled = true;
}

HD_KERNEL __launch_bounds__(256, 2) heddle_exact_rows(const struct exact_rows_args a) {
  __shared__ struct hd_exact sums[EXACT_WARPS];
  const u32 warp = threadIdx.x / 32;
  const u64 rows = row_count(&a);
  struct windows s;
  warp_sum_clear(&sums[warp]);
  warp_windows_start(&s);
#pragma unroll 1
  for (u64 r = (u64)blockIdx.x * EXACT_WARPS + warp; r < rows; r += (u64)gridDim.x * EXACT_WARPS) {
    const struct row row = row_find(&a, r);
    if (!a.offsets || row.length <= HD_EXACT_LONG_ROW)
      warp_row(&s, &sums[warp], &a, &row, row_out(&a, r));
  }
}
