/* strided.cu - rows along an axis of a strided array, brought together, or put back
 *
 * Result   dense: row after row; or strided, from dense
 * Defines  HEDDLE_BYTES of an element; HEDDLE_BACK 1: from dense; HEDDLE_ACROSS 1: neighbouring rows lie
 *          closer than neighbouring elements of a row
 * Launch   any number of blocks of 256
 * Method   Squares of 32 elements of 32 rows. Where neighbours of a row are not neighbours in memory,
 *          they are turned around in shared memory, so that both sides are read and written along.
 * Source   NVIDIA's transpose sample */
#include "kernels/base/device.h"

#include "args.h"

#define SIDE 32u
#define LINES 8u /* of a square at a time: 256 threads */

#if HEDDLE_BYTES == 16
typedef uint4 item;
#elif HEDDLE_BYTES == 8
typedef u64 item;
#elif HEDDLE_BYTES == 4
typedef u32 item;
#elif HEDDLE_BYTES == 2
typedef u16 item;
#else
typedef u8 item;
#endif

HD_DEVICE i64 row_start(const struct sort_strided_args *a, u64 row) {
  i64 start = 0;
  for (u32 d = 0; d + 1 < a->dims; d++) {
    start += (i64)(row % a->shape[d]) * a->stride[d];
    row /= a->shape[d];
  }
  return start + (i64)row * a->stride[a->dims - 1];
}

HD_DEVICE item *strided_at(const struct sort_strided_args *a, i64 start, u64 k) {
  return (item *)a->strided + start + (i64)k * a->step;
}
HD_DEVICE item *dense_at(const struct sort_strided_args *a, u64 row, u64 k) {
  return (item *)a->dense + row * a->length + k;
}

/* Rows row.. and elements k.. of each. All threads arrive. */
HD_DEVICE void block_move_square(const struct sort_strided_args *a, u64 row, u64 k,
                                 item (*square)[SIDE + 1]) {
  const u32 lane = threadIdx.x % SIDE, first = threadIdx.x / SIDE;
#if HEDDLE_ACROSS
  const bool mine = row + lane < a->rows;
  const i64 start = mine ? row_start(a, row + lane) : 0;
#pragma unroll
  for (u32 i = first; i < SIDE; i += LINES) {
#if HEDDLE_BACK
    if (row + i < a->rows && k + lane < a->length)
      square[lane][i] = *dense_at(a, row + i, k + lane);
#else
    if (mine && k + i < a->length) square[i][lane] = *strided_at(a, start, k + i);
#endif
  }
  __syncthreads(); /* the square is full */
#pragma unroll
  for (u32 i = first; i < SIDE; i += LINES) {
#if HEDDLE_BACK
    if (mine && k + i < a->length) *strided_at(a, start, k + i) = square[i][lane];
#else
    if (row + i < a->rows && k + lane < a->length)
      *dense_at(a, row + i, k + lane) = square[lane][i];
#endif
  }
  __syncthreads(); /* it is free */
#else
  (void)square;
#pragma unroll
  for (u32 i = first; i < SIDE; i += LINES) {
    if (row + i >= a->rows || k + lane >= a->length) continue;
    const i64 start = row_start(a, row + i);
#if HEDDLE_BACK
    *strided_at(a, start, k + lane) = *dense_at(a, row + i, k + lane);
#else
    *dense_at(a, row + i, k + lane) = *strided_at(a, start, k + lane);
#endif
  }
#endif
}

HD_KERNEL __launch_bounds__(SIDE *LINES)
    heddle_sort_strided(const __grid_constant__ struct sort_strided_args a) {
  __shared__ item square[SIDE][SIDE + 1];
  const u64 across = (a.rows + SIDE - 1) / SIDE, along = (a.length + SIDE - 1) / SIDE;
  for (u64 s = blockIdx.x; s < across * along; s += gridDim.x) {
#if HEDDLE_ACROSS
    block_move_square(&a, s % across * SIDE, s / across * SIDE, square);
#else
    block_move_square(&a, s / along * SIDE, s % along * SIDE, square);
#endif
  }
}
