/* exact.cu - exact sums of weights to the caller's arrays
 *
 * Result   a.out, see finish.h
 * Defines  none
 * Launch   any number of blocks of any number of threads, behind all that adds to the totals
 * Memory   none but the totals and the output
 * Order    none shows
 * Source   docs/order.md, rule 15 */
#define HEDDLE_EXACT 1
#include "finish.h"

HD_KERNEL heddle_histogram_exact(const __grid_constant__ struct hist_args a) {
  finish_counters(&a, blockIdx.x * (u64)blockDim.x + threadIdx.x, gridDim.x * (u64)blockDim.x);
}
