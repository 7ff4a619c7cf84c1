/* firsts.cu - the first elements of sorted rows, by the positions of all of them
 *
 * Result   out[r * k + i] and index[r * k + i] of row r, i < k, where they are wanted
 * Defines  kernels/sort/key.h's; HEDDLE_POSITION_BYTES, HEDDLE_INDEX_BYTES 4 or 8; HEDDLE_THREADS
 * Launch   any number of blocks */
#include "kernels/sort/key.h"

#include "args.h" /* needs their types */

#if HEDDLE_POSITION_BYTES == 8
typedef u64 rank_position;
#else
typedef u32 rank_position;
#endif
#if HEDDLE_INDEX_BYTES == 8
typedef u64 rank_index;
#else
typedef u32 rank_index;
#endif

HD_KERNEL __launch_bounds__(HEDDLE_THREADS)
    heddle_rank_firsts(const __grid_constant__ struct rank_firsts_args a) {
  const u64 all = a.rows * a.k, step = (u64)gridDim.x * HEDDLE_THREADS;
  const u64 *offsets = (const u64 *)a.offsets;
  for (u64 i = (u64)blockIdx.x * HEDDLE_THREADS + threadIdx.x; i < all; i += step) {
    const u64 r = i / a.k, start = offsets ? offsets[r] - a.first : r * a.length;
    const rank_position at = ((const rank_position *)a.position)[start + i % a.k];
    if (a.out) ((key_bits *)a.out)[i] = ((const key_bits *)a.in)[start + at];
    if (a.index) ((rank_index *)a.index)[i] = (rank_index)at;
  }
}
