/* finish.cu - totals to the caller's arrays, where it is too much for one block
 *
 * Result   a.out, see finish.h
 * Defines  none
 * Launch   any number of blocks of any number of threads, behind all that adds to the totals
 * Memory   none but the totals and the output
 * Order    none shows */
#include "finish.h"

HD_KERNEL heddle_histogram_finish(const __grid_constant__ struct hist_args a) {
  if (a.attempt == HD_ATTEMPT_AGAIN && guess_held(&a)) return; /* thin or not */
  finish_counters(&a, blockIdx.x * (u64)blockDim.x + threadIdx.x, gridDim.x * (u64)blockDim.x);
}
