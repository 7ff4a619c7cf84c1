/* columns.cu - some columns of rows as arrays, group after group, and their results put back
 *
 * Result   heddle_groups_columns  out[c * count + i] = element first + c of the row that is the i-th in order
 *          heddle_groups_spread   offsets of the groups of all columns, as of one array
 *          heddle_groups_results  out[g * width + first + c] = in[c * groups + g]
 * Defines  HEDDLE_UNIT  bytes of an element, 2, 4 or 8; HEDDLE_ORDER_BYTES 4 or 8, of positions, or 0: rows are in order
 * Launch   a thread a row or group, any number of blocks of COLUMNS_THREADS */
#include "kernels/base/device.h"

#include "args.h" /* needs their types */

#define COLUMNS_THREADS 256

#if HEDDLE_UNIT == 8
typedef u64 column_unit;
#elif HEDDLE_UNIT == 4
typedef u32 column_unit;
#elif HEDDLE_UNIT == 2
typedef u16 column_unit;
#else
typedef u8 column_unit;
#endif

HD_DEVICE u64 thread_first(void) { return (u64)blockIdx.x * COLUMNS_THREADS + threadIdx.x; }
HD_DEVICE u64 grid_step(void) { return (u64)gridDim.x * COLUMNS_THREADS; }

HD_KERNEL __launch_bounds__(COLUMNS_THREADS)
    heddle_groups_columns(const __grid_constant__ struct groups_columns_args a) {
  const column_unit *in = (const column_unit *)a.in + a.first;
  column_unit *out = (column_unit *)a.out;
  for (u64 i = thread_first(); i < a.count; i += grid_step()) {
#if HEDDLE_ORDER_BYTES == 8
    const u64 row = ((const u64 *)a.order)[i];
#elif HEDDLE_ORDER_BYTES == 4
    const u64 row = ((const u32 *)a.order)[i];
#else
    const u64 row = i;
#endif
#pragma unroll 4
    for (u64 c = 0; c < a.columns; c++) out[c * a.count + i] = in[row * a.width + c];
  }
}

HD_KERNEL __launch_bounds__(COLUMNS_THREADS)
    heddle_groups_spread(const __grid_constant__ struct groups_columns_args a) {
  const u64 *offsets = (const u64 *)a.offsets;
  u64 *out = (u64 *)a.offsets_out;
  for (u64 g = thread_first(); g < a.groups; g += grid_step())
    for (u64 c = 0; c < a.columns; c++) out[c * a.groups + g] = c * a.count + offsets[g];
  if (thread_first() == 0) out[a.columns * a.groups] = a.columns * a.count;
}

HD_KERNEL __launch_bounds__(COLUMNS_THREADS)
    heddle_groups_results(const __grid_constant__ struct groups_columns_args a) {
  const column_unit *in = (const column_unit *)a.in;
  column_unit *out = (column_unit *)a.out + a.first;
  for (u64 g = thread_first(); g < a.groups; g += grid_step())
#pragma unroll 4
    for (u64 c = 0; c < a.columns; c++) out[g * a.width + c] = in[c * a.groups + g];
}
