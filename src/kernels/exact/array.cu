/* array.cu - the exact sum of an array
 *
 * Result   heddle_exact_array: *sum gains the elements, and what a.then says is done with it
 * Defines  as span.h; HEDDLE_BLOCKS an SM, at least
 * Launch   256 threads; at least 1 block, of fewer than 2^28 elements each; the last one takes what is no vector of 16
 *          bytes, too
 * Memory   *sum: limbs below 2^61 in magnitude. ticket: zero, and zero again afterwards
 * Method   a sum a warp in windows, a sum a block in shared memory, which goes to *sum by atomics; the last
 *          block, found by a ticket, rounds
 * Order    none: integers
 * Source   docs/order.md, rule 15; the ticket: NVIDIA's threadFenceReduction sample */
#define HEDDLE_FORM 0 /* EXACT_BY_BLOCK */
#include "span.h"

HD_KERNEL __launch_bounds__(SPAN_THREADS, HEDDLE_BLOCKS)
    heddle_exact_array(const struct exact_args a) {
  __shared__ struct hd_exact shared;
  __shared__ u32 last;
  const u64 first = a.x + (u64)a.head * ELEMENT_BYTES, second = a.y + (u64)a.head * ELEMENT_BYTES;
  const u64 vectors = (a.count - a.head) / EXACT_EACH;
  const u64 rest = a.head + vectors * EXACT_EACH; /* where the last elements begin */
  struct hd_exact *const sum = (struct hd_exact *)a.sum;
  struct windows s;
  if (a.then == EXACT_CARRIES) {
    if (threadIdx.x == 0) hd_exact_carry(sum, exact_span());
    return;
  }
  warp_windows_start(&s);
  block_span(&s, &shared, first, second, vectors);
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
