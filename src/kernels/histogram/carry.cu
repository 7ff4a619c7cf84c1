/* carry.cu - makes room in the limbs of exact sums of weights
 *
 * Result   a.limbs are the same sums, each limb but the last below 2^32
 * Defines  none
 * Launch   any number of blocks of any number of threads, between launches that add
 * Memory   none but the limbs and marks
 * Order    none shows */
#include "limbs.h"

HD_KERNEL heddle_histogram_carry(const __grid_constant__ struct hist_args a) {
  const u64 counters = (u64)a.slots * a.channels, step = gridDim.x * (u64)blockDim.x;
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < counters; i += step)
    if (((const u32 *)a.marks)[i] & HD_MARK_LIMBS) limbs_carry(&a, i);
}
