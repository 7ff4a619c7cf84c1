/* array.cu - the exact sum of an array
 *
 * Result   heddle_exact_array: *sum gains the elements, and what a.then says is done with it
 * Defines  as windows.h; HEDDLE_ALIGN: y is so aligned (1 to 16 bytes) where x is a multiple of 16
 * Launch   256 threads; block b takes vectors of 16 bytes b * span .. (b + 1) * span - 1, the last block
 *          what is left of the array besides; at least 1 block, of fewer than 2^28 elements each
 * Memory   *sum: limbs below 2^61 in magnitude. ticket: zero, and zero again afterwards
 * Method   a sum a warp in windows, a sum a block in shared memory, which goes to *sum by atomics; the last
 *          block, found by a ticket, rounds
 * Order    none: integers
 * Source   docs/order.md, rule 15; the ticket: NVIDIA's threadFenceReduction sample */
#define HEDDLE_FORM 0                                          /* EXACT_BY_BLOCK */
#define EXACT_PAIRS (HEDDLE_NAN && ELEMENT_BYTES == 8 ? 2 : 4) /* there is no row to keep */
#define EXACT_VALUES 6
#include "windows.h"

#define EXACT_THREADS 256
/* As registers hold: values that may be left out take more. */
#if EXACT_IS_PRODUCT
#define EXACT_BLOCKS (ELEMENT_BYTES == 2 ? 3 : 2)
#elif HEDDLE_NAN
#define EXACT_BLOCKS (ELEMENT_BYTES == 8 ? 1 : 2)
#else
#define EXACT_BLOCKS (ELEMENT_BYTES == 2 ? 2 : 3)
#endif

HD_DEVICE void thread_load(u64 x, u64 y, u64 v, u32 *wx, u32 *wy) {
  load_words((const u8 *)x + 16 * v, 16, 16, wx);
  if (HEDDLE_PRODUCTS == HD_EXACT_OF_PRODUCTS)
    load_words((const u8 *)y + 16 * v, 16, HEDDLE_ALIGN, wy);
}

/* Vectors low .. high - 1, whole batches of a warp; zeros fill the last one. */
HD_DEVICE void warp_span(struct windows *s, struct hd_exact *sum, u64 x, u64 y, u64 low, u64 high) {
  u32 wx[EXACT_LOADS][4], wy[EXACT_LOADS][4];
  const u64 step = EXACT_LOADS * EXACT_THREADS;
#pragma unroll 1
  for (u64 v = low + threadIdx.x; v - threadIdx.x % 32 < high; v += step) {
#pragma unroll
    for (int i = 0; i < EXACT_LOADS; i++) {
      const u64 at = v + (u64)i * EXACT_THREADS;
      wx[i][0] = wx[i][1] = wx[i][2] = wx[i][3] = 0;
      wy[i][0] = wy[i][1] = wy[i][2] = wy[i][3] = 0;
      if (at < high) thread_load(x, y, at, wx[i], wy[i]);
    }
    warp_windows_take(s, sum, &wx[0][0], &wy[0][0]);
  }
}

HD_KERNEL __launch_bounds__(256, EXACT_BLOCKS) heddle_exact_array(const struct exact_args a) {
  __shared__ struct hd_exact shared;
  __shared__ u32 last;
  const u64 first = a.x + (u64)a.head * ELEMENT_BYTES, second = a.y + (u64)a.head * ELEMENT_BYTES;
  const u64 vectors = (a.count - a.head) / EXACT_EACH, low = blockIdx.x * a.span;
  const u64 high = low + a.span < vectors ? low + a.span : vectors;
  const u64 rest = a.head + vectors * EXACT_EACH; /* where the last elements begin */
  struct hd_exact *const sum = (struct hd_exact *)a.sum;
  struct windows s;
  if (a.then == EXACT_CARRIES) {
    if (threadIdx.x == 0) hd_exact_carry(sum, exact_span());
    return;
  }
  block_sum_clear(&shared);
  warp_windows_start(&s);
  __syncthreads(); /* the sum is cleared */
  warp_span(&s, &shared, first, second, low, high);
  warp_windows_flush(&s, &shared);
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x < a.head) thread_sum_element(&shared, a.x, a.y, (i64)threadIdx.x);
    if (threadIdx.x < a.count - rest)
      thread_sum_element(&shared, a.x, a.y, (i64)(rest + threadIdx.x));
  }
  block_sum_carry(&shared);
  if (gridDim.x > 1 || a.then != EXACT_CLEARS) { /* else this is all there is */
    block_sum_publish(&shared, sum);
    if (a.then == EXACT_ADDS) return;
    if (!block_is_last((u32 *)a.ticket, gridDim.x, &last)) return;
    block_sum_fetch(&shared, sum, a.then == EXACT_KEEPS);
  }
  if (threadIdx.x < 32) warp_sum_store(&shared, &a.result, a.out);
}
