/* squares.cu - the squares of weights, and the exponent of their sums by rule 14
 *
 * Result   a.out[i] = a.in[i] as an f64, times itself, rounded once more; with a.range *a.exponent =
 *          the least E with x < 2^E for the square x of the greatest magnitude, 1024 where that is infinite
 * Defines  HEDDLE_TYPE of the weights
 * Launch   any number of blocks of any number of threads
 * Memory   none but the arrays
 * Order    none shows: an element each */
#include "order/device/element.h"

#include "args.h"
#include "kernels/histogram/guess.h"

#define LARGEST 1.7976931348623157e308

HD_KERNEL heddle_axes_squares(const __grid_constant__ struct squares_args a) {
  const u64 step = gridDim.x * (u64)blockDim.x;
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < a.count; i += step) {
    const f64 x = to_f64(((const element *)a.in)[i]);
    ((f64 *)a.out)[i] = x * x;
  }
  if (!a.range || blockIdx.x || threadIdx.x) return;
  const f64 most = ((const f64 *)a.range)[1], square = most * most;
  *(i32 *)a.exponent = exponent_of(square > LARGEST ? LARGEST : square);
}
